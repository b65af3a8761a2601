import { spawnSync } from 'node:child_process';

/** In CI a missing program is an error. */
const IS_CI = process.env['CI'] !== undefined;

/** Whether to run the tests of this engine: it is installed. */
export function isTested(engine: 'hugo' | 'jekyll'): boolean {
  const isThere = spawnSync(engine, [engine === 'hugo' ? 'version' : '--version']).status === 0;
  if (!isThere && !IS_CI) console.warn(`${engine} is not installed, so its tests are skipped.`);
  return isThere || IS_CI;
}
