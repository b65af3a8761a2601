import type { Command } from 'commander';
import { shellQuoted } from '../common/shell.ts';
import { commandLine } from './command-line.ts';

/** What the next command must name as the last one did. */
const REPEATED = ['db', 'source', 'keys', 'out', 'config', 'to', 'endpoint'];

/**
 * Messages name commands in quotes: Run "build --full". Those that are complete are written as they can be pasted, with the
 * files and buckets that were named.
 *
 * @param typed the command that failed; undefined: it was not found
 * @param load loads a command by its name; null: there is none
 */
export async function pasteable(
  message: string,
  typed: Command | undefined,
  load: (name: string) => Promise<Command | null>,
): Promise<string> {
  const parts = message.split(/(?<=\b(?:[Rr]un|with) )"([a-z][^"\n]*)"/);
  const written = parts.map(async (part, i) => {
    if (i % 2 === 0) return part;
    const [name = '', ...words] = part.split(' ');
    const command = await load(name);
    const line = command === null ? null : completed(command, words, typed);
    return `"${line === null ? part : commandLine(`${name} ${line}`.trim())}"`;
  });
  return (await Promise.all(written)).join('');
}

/** The words after a command's name, with what is repeated; null: something else is missing. */
function completed(command: Command, words: readonly string[], typed: Command | undefined): string | null {
  const [first = ''] = words;
  const child = command.commands.find((one) => one.name() === first);
  const target = child ?? command;
  const given = REPEATED.filter(
    (name) =>
      typed?.getOptionValueSource(name) === 'cli' && target.options.some(({ long }) => long === `--${name}`),
  ).flatMap((name) => [`--${name}`, shellQuoted(String(typed?.getOptionValue(name)))]);
  const all = [...words, ...given];
  // A terminal would not show, or not take, such a name.
  if (all.some((word) => /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(word))) return null;
  const operands = words.slice(child === undefined ? 0 : 1).filter((word) => !word.startsWith('-'));
  const isComplete =
    target.commands.length === 0 &&
    target.registeredArguments.filter(({ required }) => required).length <= operands.length &&
    target.options.every(({ mandatory, long }) => !mandatory || all.includes(long ?? ''));
  return isComplete ? all.join(' ') : null;
}
