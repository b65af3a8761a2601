/**
 * Output fits a terminal of 80 columns, except for what cannot be broken: addresses, paths, keys, and commands to paste.
 */
import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import { beforeAll, afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { program } from '../../cli/main.ts';
import { wrapped, wrappedCommand } from '../../cli/wrap.ts';
import { startOffprint } from '../build/offprint-process.ts';
import { folderUntil, temporaryFolder } from '../build/temporary-folder.ts';
import { ROOT } from '../docs/documents.ts';
import { BUCKET_ENVIRONMENT } from '../service/bucket-credentials.ts';
import { offprint } from '../service/command.ts';
import { HAS_SCRIPT, onTerminal } from '../service/on-terminal.ts';
import { faultOf, printedCommands } from './pasted.ts';
import { lacks } from '../lacks.ts';

const WIDTH = 80;
const NARROW = { ...BUCKET_ENVIRONMENT, COLUMNS: String(WIDTH), NO_COLOR: '1' };
const SAMPLE = join(ROOT, 'data', 'sample');

/** Lines that are too long but could be broken. Allowed: one long word, also after a label, and a command. */
function tooLong(text: string): string[] {
  return text
    .split('\n')
    .filter(
      (line) =>
        line.length > WIDTH &&
        !/^[[{]/.test(line) &&
        !/^\s*(?:\S+\s+){0,2}\S{40,}$/.test(line) &&
        !/^\s*(?:-H|curl|npm|offprint) /.test(line),
    );
}

/** Commands that are broken here or on a narrower terminal. Messages name some in quotes: "build --full". */
function brokenCommands(text: string): string[] {
  const openQuotes = text
    .split('\n')
    .filter((line) => !/^[[{]/.test(line) && line.split('"').length % 2 === 0);
  const commands = text.match(/"[^"\n]*"|\b(?:curl|npm|offprint) [^,.\n]*/g) ?? [];
  return [...openQuotes, ...commands.filter((command) => !wrapped(text, WIDTH / 2).includes(command))];
}

/** The sample blog as `start` makes it, in a folder of its own. */
let template = '';
beforeAll(async () => {
  template = folderUntil(afterAll);
  await offprint(
    ['import', 'markdown', SAMPLE, '--db', 'data/blog.db', '--site', 'https://words.example'],
    template,
  );
  await offprint(['build'], template);
  await offprint(['keys', 'create', '--account', 'ada', '--name', 'my site', '--json'], template);
  await offprint(
    ['keys', 'create', '--account', 'ada', '--name', 'b', '--scopes', 'taxonomy:read', '--json'],
    template,
  );
});

function copy(): string {
  const folder = temporaryFolder();
  cpSync(template, folder, { recursive: true });
  return folder;
}

/** Each is a series of runs in one folder. */
const RUNS: readonly (readonly (readonly string[])[])[] = [
  [['build', '--full'], ['build']],
  [['status'], ['doctor'], ['usage'], ['usage', '--html', 'usage.html']],
  [
    ['snapshots', 'list'],
    ['snapshots', 'verify'],
    ['snapshots', 'prune'],
    ['snapshots', 'rollback', 'none'],
  ],
  [
    ['keys', 'list'],
    ['keys', 'create', '--account', 'x', '--name', 'y'],
    ['keys', 'revoke', 'opk_none'],
  ],
  [
    ['backup', 'blog.zip'],
    ['restore', 'blog.zip', '--check'],
    ['restore', 'blog.zip'],
    ['restore', 'blog.zip', '--force'],
  ],
  [
    ['export', 'site'],
    ['export', 'site'],
    ['withdraw', 'brevity'],
    ['withdraw', 'brevity', '--undo'],
    ['withdraw', 'none'],
  ],
  [
    ['import', 'markdown', SAMPLE, '--db', 'other.db'],
    ['import', 'markdown', SAMPLE, '--db', 'other.db'],
    ['build', '--db', 'other.db'],
    ['import', 'markdown', 'nothing'],
  ],
  [
    ['publish', '--to', 's3://blog', '--endpoint', 'http://127.0.0.1:1'],
    ['publish'],
    ['biuld'],
    ['start', '--db', 'no.db'],
  ],
];

describe('a terminal of 80 columns', () => {
  it.each(
    RUNS.map((commands) => [commands.map((words) => words.slice(0, 2).join(' ')).join(', '), commands]),
  )('is wide enough for the output of: %s', async (_, commands) => {
    const folder = copy();
    for (const args of commands) {
      const { stdout, stderr } = await offprint(args, folder, NARROW);
      expect(stdout + stderr, args.toString()).not.toBe('');
      expect(tooLong(stdout + stderr), args.toString()).toEqual([]);
      expect(brokenCommands(stdout + stderr), args.toString()).toEqual([]);
      expect(await faultsIn(stdout + stderr), args.toString()).toEqual([]);
    }
  });

  it('is wide enough for the first output of start, with page, API, key and next step', async () => {
    const running = startOffprint(['start', '--port', '0'], { cwd: temporaryFolder(), env: NARROW });
    onTestFinished(() => void running.child.kill('SIGKILL'));
    await running.printed('Ctrl-C stops');
    expect(tooLong(running.stdout + running.stderr)).toEqual([]);
    expect(printedCommands(running.stdout)).toHaveLength(2);
    expect(await faultsIn(running.stdout + running.stderr)).toEqual([]);
    for (const shown of ['  address   http', '  page      http', '  key       none yet', 'For your own blog'])
      expect(running.stdout).toContain(shown);
  });

  it.skipIf(lacks('script', HAS_SCRIPT))(
    'is wide enough for the same with a key, and curl works as it is printed',
    async () => {
      const folder = copy();
      const files = ['--db', join(folder, 'fresh.db'), '--out', join(folder, 'fresh')];
      await offprint(['import', 'markdown', SAMPLE, '--db', join(folder, 'fresh.db')]);
      let answer = '';
      const paste = async (shown: string) => {
        const [command = ''] = /^ *curl [^]*?(?=\n *\n)/m.exec(shown) ?? [];
        const asked = `${command} --silent --write-out ' %{http_code}'`;
        ({ stdout: answer } = await promisify(execFile)('sh', ['-c', asked]));
      };
      const args = ['start', '--port', '0', ...files];
      const { printed } = await onTerminal(args, 'Ctrl-C stops', WIDTH, paste);
      expect(answer).toMatch(/^\{"success":true,.* 200$/);
      expect(printed).toContain('shown only once');
      const withoutBars = printed.split('\n').filter((line) => !line.includes('█')); // Progress lines are overwritten.
      expect(tooLong(withoutBars.join('\n'))).toEqual([]);
    },
  );

  /** Including groups and the program itself. */
  const commandsIn = (command: Command): Command[] => [command, ...command.commands.flatMap(commandsIn)];

  it('is wide enough for the help of every command', async () => {
    for (const command of commandsIn(await program())) {
      let text = '';
      command.configureOutput({ writeOut: (written) => (text += written) });
      command.outputHelp();
      expect(tooLong(text), command.name()).toEqual([]);
      const examples = text.slice(text.indexOf('Example:')); // Usage is no command.
      expect(printedCommands(examples).length, command.name()).toBeGreaterThan(0);
      expect(await faultsIn(examples), command.name()).toEqual([]);
    }
  });
});

/** Commands that a shell or the command line would not take as they are printed. */
async function faultsIn(text: string): Promise<readonly (string | null)[]> {
  const known = await program();
  return printedCommands(text)
    .map((command) => faultOf(known, command))
    .filter((fault) => fault !== null);
}

it.each([
  ['Run offprint build --ful, or offprint start', 'offprint build --ful: --ful is unknown'],
  ['Publish: npm run -s offprint -- import markdown posts \\\n  --db "a b.db', /unterminated|EOF|quote/i],
  ['  npx offprint keys create --account', /--account/],
  ['Run offprint keys.', 'offprint keys: names no command'],
])('a command that cannot be pasted is found: %j', async (text, fault) => {
  expect((await faultsIn(text))[0]).toMatch(fault);
});

it('breaks no lines for other programs', async () => {
  const { stderr } = await offprint(['build', '--db', 'none.db'], copy());
  expect(stderr).toMatch(
    /^error: There is no database at none\.db\. Create one with "(?:npx --no )?offprint import ~\/blog --db none\.db", or name another with --db\.$/m,
  );
});

describe('a line that is too long', () => {
  it.each([
    ['one two three', 8, 'one two\n  three'],
    ['served  snapshot abc, 41 posts', 22, 'served  snapshot abc,\n        41 posts'],
    ['  - one two three', 12, '  - one two\n    three'],
    ['short\nhttps://an.address/that/is/long and on', 12, 'short\nhttps://an.address/that/is/long\n  and on'],
    ['{"one": "two three"}', 8, '{"one": "two three"}'],
    ['\u001b[32mone two\u001b[39m three', 13, '\u001b[32mone two\u001b[39m three'],
  ])('%j is broken at %i columns', (text, width, lines) => {
    expect(wrapped(text, width)).toBe(lines);
    expect(wrapped(text, null)).toBe(text);
  });

  it.each([
    ['Publish it again: offprint build, or offprint start', ['offprint build', 'offprint start']],
    ['Run npm run -s offprint -- build --full, or go back.', ['npm run -s offprint -- build --full']],
    [`It failed. Run offprint withdraw 'a, b' --to s3://b again.`, [`offprint withdraw 'a, b' --to s3://b`]],
    ['Repair it with "build --full", or go back with "snapshots list".', ['build --full', 'snapshots list']],
    [`(npm run try) is what it's for, isn't it`, ['npm run try']],
    ['Prevent it: chmod 600 /a/b. Then: chown -R ada /a', ['chmod 600 /a/b', 'chown -R ada /a']],
    ['Set the clock (timedatectl set-ntp true). Then wait.', ['timedatectl set-ntp true']],
    ['\u001b[2mFinish it: npx offprint export folder\u001b[22m', ['npx offprint export folder']],
    ['\u001b[36mrm -r /some/folder/\u001b[39m removes it for good', ['rm -r /some/folder/']],
    ['  curl "http://a/b?c=1" \\\n    -H "A: Bearer k"', ['curl "http://a/b?c=1" \\\n    -H "A: Bearer k"']],
    ['It needs a key: echo "whsec_$(openssl rand 32)"', ['echo "whsec_$(openssl rand 32)"']],
  ])('%j keeps its commands whole at any width', (text, commands) => {
    for (let width = 8; width < text.length; width += 1)
      for (const command of commands) expect(wrapped(text, width), String(width)).toContain(command);
  });

  it('of a command continues after a backslash', () => {
    const command = `offprint publish --to s3://${'b'.repeat(40)} --endpoint https://account.example`;
    const [first = '', second = '', ...more] = wrappedCommand(command).split('\n');
    expect([first.slice(-2), second.slice(0, 4), more]).toEqual([' \\', '  --', []]);
    expect(`${first.slice(0, -2)} ${second.trim()}`).toBe(command);
  });
});
