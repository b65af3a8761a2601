import { spawnSync } from 'node:child_process';
import { lacks } from '../lacks.ts';

/** In CI a missing program is an error. */
const IS_CI = process.env['CI'] !== undefined;

/** Whether to run the tests of this engine: it is installed. */
export function isTested(engine: 'hugo' | 'jekyll'): boolean {
  const isThere = spawnSync(engine, [engine === 'hugo' ? 'version' : '--version']).status === 0;
  return !lacks(engine === 'hugo' ? 'Hugo' : 'Jekyll', isThere || IS_CI);
}
