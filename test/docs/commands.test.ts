/**
 * docs/commands.md equals the command line's help, and commands in the documents are valid.
 */
import { spawnSync } from 'node:child_process';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { program } from '../../cli/main.ts';
import { commandsPage } from '../../release/commands-page.ts';
import { commandLines, faultOf } from '../cli/pasted.ts';
import { codeBlocks, DOCUMENTS, inlineCode, read } from './documents.ts';

/** A command as the table names it: `keys revoke <prefix>`. */
interface Documented {
  readonly label: string;
  readonly options: readonly string[];
}

function actualCommands(command: Command, path: readonly string[] = []): Documented[] {
  if (command.commands.length > 0) {
    return command.commands.flatMap((child) => actualCommands(child, [...path, child.name()]));
  }
  const inBrackets = command.registeredArguments.map((argument) =>
    argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
  );
  const options = command.options.filter(({ hidden }) => !hidden).map(({ long, flags }) => long ?? flags);
  return [{ label: [...path, ...inBrackets].join(' '), options: options.sort() }];
}

const COMMANDS = actualCommands(await program());
it('docs/commands.md equals --help', async () => {
  expect(read('docs/commands.md'), 'run npm run docs').toBe(commandsPage(await program()));
});

/** The arguments after the program's name, which may follow variables, npx, npm or a path. */
const TYPED = [
  /(?:^\s*(?:\$ )?(?:[A-Z_]+=\S+ )*|npx |\.bin\/)offprint ([a-z].*)/,
  /(?:npm run -s offprint -- |cli\/offprint\.mjs )(.*)/,
  /npm (start) -- (.*)/,
];

function typedIn(line: string): string | undefined {
  const found = TYPED.map((form) => form.exec(line)).find((match) => match !== null);
  return found?.slice(1).join(' ');
}

let found = 0;
describe.each(DOCUMENTS)('%s', (path) => {
  it('has only commands and options that exist', () => {
    const text = read(path);
    const shown = [...codeBlocks(text).flatMap(({ code }) => code.split('\n')), ...inlineCode(text)];
    for (const line of shown) {
      const typed = typedIn(line);
      if (typed === undefined || typed === 'COMMAND') continue;
      found += 1;
      const words = typed.split(' ');
      const command = COMMANDS.find(({ label }) => {
        const name = label.split(' ').filter((word) => /^\w/.test(word));
        return name.every((word, i) => words[i] === word);
      });
      expect(command, line).toBeDefined();
      const options = words.filter((word) => word.startsWith('--'));
      expect(command?.options, line).toEqual(expect.arrayContaining(options));
    }
  });
});

it('has commands for users as they are in the package', () => {
  const forUsers = DOCUMENTS.filter(
    (path) => path === 'README.md' || /^docs\/(?!contributors|decisions)/.test(path),
  );
  const examples = forUsers.flatMap((path) => codeBlocks(read(path)).map(({ code }) => code));
  expect(examples.filter((code) => code.includes('npm run -s offprint'))).toEqual([]);
});

let pasted = 0;
describe.each(DOCUMENTS)('blocks of shell code in %s', (path) => {
  it('can be pasted', async () => {
    const known = await program();
    for (const { language, code } of codeBlocks(read(path))) {
      if (language !== 'sh' && language !== 'console') continue;
      if (language === 'sh') {
        const { status, stderr } = spawnSync('sh', ['-n', '-c', code], { encoding: 'utf8' });
        expect({ status, stderr }, code).toEqual({ status: 0, stderr: '' });
      }
      const typed = commandLines(code).filter((line) => !line.includes('COMMAND'));
      pasted += typed.length;
      expect(typed.map((line) => faultOf(known, line)).filter((fault) => fault !== null)).toEqual([]);
    }
  });
});

it('finds commands in the documents', () => {
  expect(found).toBeGreaterThan(80);
  expect(pasted).toBeGreaterThan(45);
});
