import type { Environment } from './command.ts';

/** A command dies before its nth change of the file system by renaming or removing. @param change Infinity: never */
export function dyingBefore(change: number): Environment {
  const options = [
    process.env['OFFPRINT_TEST_NODE_OPTIONS'],
    `--import=${new URL('dying.mjs', import.meta.url).href}`,
  ];
  return { NODE_OPTIONS: options.join(' '), DIES_BEFORE: String(change) };
}

/** The number of such changes. @param stderr of a command that did not die */
export function changesBy(stderr: string): number {
  return Number(/changes: (\d+)/.exec(stderr)?.[1]);
}
