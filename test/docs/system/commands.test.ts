/** docs/commands.md equals the command line's help, and commands in the documents are valid. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { program } from '../../../cli/main.ts';
import { commandsPage } from '../../../release/commands-page.ts';
import { commandFault, commandWords } from '../../cli/pasted.ts';
import { codeBlocks, DOCUMENTS, inlineCode, read } from '../documents.ts';

it('docs/commands.md equals --help', async () => {
  expect(read('docs/commands.md'), 'run npm run docs').toBe(commandsPage(await program()));
});

const PROGRAM = await program();
let found = 0;
function faultsIn(lines: readonly string[], isWhole: boolean): string[] {
  return lines.flatMap((line) => {
    const words = commandWords(line);
    if (words === undefined || words[0] === 'COMMAND') return [];
    found += 1;
    const fault = commandFault(PROGRAM, words, isWhole);
    return fault === null ? [] : `${line}: ${fault}`;
  });
}

describe.each(DOCUMENTS)('%s', (path) => {
  const blocks = codeBlocks(read(path)).map(({ language, code }) => ({
    language,
    lines: code.replace(/ ?\\\n\s*/g, ' ').split('\n'),
  }));

  it('has only commands and options that exist', () => {
    expect(faultsIn(inlineCode(read(path)), false)).toEqual([]);
    for (const { language, lines } of blocks)
      expect(faultsIn(lines, language === 'sh' || language === 'console')).toEqual([]);
  });

  it('has code that a shell can read', () => {
    for (const { lines } of blocks.filter(({ language }) => language === 'sh')) {
      const { stderr } = spawnSync('sh', ['-n', '-c', lines.join('\n')], { encoding: 'utf8' });
      expect(stderr, lines.join('\n')).toBe('');
    }
  });
});

it('has commands for users as they are in the package', () => {
  const forUsers = DOCUMENTS.filter((path) => /^(?:README\.md$|docs\/(?!contributors|decisions))/.test(path));
  const examples = forUsers.flatMap((path) => codeBlocks(read(path)).map(({ code }) => code));
  expect(examples.filter((code) => code.includes('npm run -s offprint'))).toEqual([]);
});

it('finds commands in the documents', () => {
  expect(found).toBeGreaterThan(60);
});
