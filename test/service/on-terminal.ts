import { spawn, spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { stripVTControlCharacters } from 'node:util';
import { following } from './command.ts';
import { OFFPRINT } from './program.ts';

/** Whether there is `script`, which gives a command a terminal. */
export const HAS_SCRIPT = spawnSync('script', ['--version']).status === 0 || process.env['CI'] !== undefined;

/**
 * Runs `offprint ARGUMENTS` in a pseudo-terminal (script(1) of util-linux).
 *
 * @param until types Ctrl-C once this was printed; default: waits for the end
 * @param columns width of the terminal; default: no size
 * @param beforeStop is awaited before Ctrl-C, with what was printed so far
 * @param types instead of Ctrl-C
 * @returns its exit code, and its output without colours
 */
export async function onTerminal(
  args: readonly string[],
  until?: string,
  columns?: number,
  beforeStop: (printed: string) => Promise<void> = async () => undefined,
  { types = '\x03', cwd = tmpdir() }: { readonly types?: string; readonly cwd?: string } = {},
): Promise<{ readonly code: number | null; readonly printed: string }> {
  const size = columns === undefined ? '' : `stty cols ${columns}; `;
  const command = ['exec', process.execPath, OFFPRINT, ...args]
    .map((word, i) => (i === 0 ? word : `'${word}'`))
    .join(' ');
  const child = spawn('script', ['--quiet', '--return', '--command', size + command, '/dev/null'], {
    cwd,
    env: { PATH: process.env['PATH'], SHELL: '/bin/sh', TERM: 'xterm', NO_COLOR: '1' },
  });
  const running = following(child);
  let stopping: Promise<void> | undefined;
  child.stdout.on('data', () => {
    if (until === undefined || !running.stdout.includes(until)) return;
    stopping ??= beforeStop(plain(running.stdout)).finally(() => child.stdin.write(types));
    stopping.catch(() => undefined); // It is thrown at the end.
  });
  child.stdin.on('error', () => undefined); // The command has ended.
  const code = await running.ended;
  await stopping;
  return { code, printed: plain(running.stdout) };
}

const plain = (text: string): string => stripVTControlCharacters(text).replaceAll('\r\n', '\n');
