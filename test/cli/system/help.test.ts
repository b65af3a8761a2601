/** How the command line helps: examples, suggestions, colours. */
import { spawnSync } from 'node:child_process';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { program } from '../../../cli/main.ts';
import { offprint, resultOf, spawnOffprint } from '../../service/command.ts';
import { offprintInProcess } from '../../service/in-process.ts';
import { OFFPRINT } from '../../service/program.ts';
import { lacks } from '../../lacks.ts';
import { HAS_SCRIPT } from '../../service/on-terminal.ts';

const PROGRAM = await program();
const ESCAPE = '\u001b[';

/** Every command, as the words to type, including groups and the program itself. */
function commandsIn(command: Command, path: readonly string[] = []): [string, Command][] {
  return [
    [path.join(' '), command],
    ...command.commands.flatMap((child) => commandsIn(child, [...path, child.name()])),
  ];
}

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (written) => (text += written) });
  command.outputHelp();
  return text;
}

describe('--help', () => {
  it.each(commandsIn(PROGRAM))('of "%s" describes it, and shows a valid example', (path, command) => {
    const help = helpOf(command);
    expect(help.replace(/\s+/g, ' ')).toContain(command.description());
    const [, typed = ''] = /Example:\n {2}npm (?:run -s offprint -- )?(.+)/.exec(help) ?? [];
    expect(typed.startsWith(path), typed).toBe(true);
    const called =
      commandsIn(PROGRAM).findLast(([name]) => `${typed} `.startsWith(`${name} `))?.[1] ?? PROGRAM;
    const options = called.options.map(({ long }) => long);
    for (const [option] of typed.matchAll(/--\w[\w-]*/g)) expect(options).toContain(option);
  });
});

it('lists commands without loading their modules', async () => {
  expect(helpOf(await program([]))).toBe(helpOf(PROGRAM));
});

describe('a typing error', () => {
  it.each([
    [['biuld'], 'Did you mean build?'],
    [['keys', 'crate'], 'Did you mean create?'],
    [['build', '--ful'], 'Did you mean --full?'],
    [['snapshots', 'list', '--jsn'], 'Did you mean --json?'],
  ])('%j: %s, and what to do', async (args, says) => {
    const { code, stdout, stderr } = await offprintInProcess(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(says);
    expect(stderr).toContain('see --help');
  });
});

describe('colours', () => {
  const failing = ['build', '--db', '/nowhere/blog.db'];

  it('are not used in pipes and files', async () => {
    expect((await offprint(failing)).stderr).not.toContain(ESCAPE);
    expect((await offprint(['--help'])).stdout).not.toContain(ESCAPE);
  });

  it('are used with FORCE_COLOR, and never with NO_COLOR', async () => {
    expect((await offprint(failing, undefined, { FORCE_COLOR: '1' })).stderr).toContain(ESCAPE);
    const both = { FORCE_COLOR: '1', NO_COLOR: '1' };
    expect((await offprint(failing, undefined, both)).stderr).not.toContain(ESCAPE);
    expect((await offprint(['--help'], undefined, both)).stdout).not.toContain(ESCAPE);
  });

  // `script` of util-linux gives a command a terminal.
  const onTerminal = (args: readonly string[], environment: Record<string, string>) => {
    const { FORCE_COLOR: _, NO_COLOR: __, CI: ___, ...inherited } = process.env;
    const typed = [process.execPath, OFFPRINT, ...args].map((word) => `'${word}'`).join(' ');
    const env = { ...inherited, TERM: 'xterm', ...environment };
    return spawnSync('script', ['-qec', typed, '/dev/null'], { env, encoding: 'utf8' }).stdout;
  };

  it.skipIf(lacks('script', HAS_SCRIPT))('are used on a terminal, except with NO_COLOR or TERM=dumb', () => {
    for (const args of [failing, ['keys', '--help']]) {
      expect(onTerminal(args, {})).toContain(ESCAPE);
      expect(onTerminal(args, { NO_COLOR: '1' })).not.toContain(ESCAPE);
    }
    expect(onTerminal(failing, { TERM: 'dumb' })).not.toContain(ESCAPE);
  });
});

it('is no error if a reader closes the pipe early', async () => {
  const child = spawnOffprint(['keys', 'create', '--help']);
  child.stdout.destroy();
  expect(await resultOf(child)).toEqual({ code: 0, stdout: '', stderr: '' });
});
