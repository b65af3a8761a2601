/** Commands in messages and documents, as the command line would understand them when they are pasted. */
import { CommanderError, type Command } from 'commander';

/** The arguments after the program's name, which may follow variables, npx, npm or a path. */
const OURS =
  /(?:^\s*(?:\$ )?(?:[A-Z_]+=\S+ )*|npx (?:--no |--package=\S+ )?|\.bin\/)offprint ([a-z].*)|(?:npm run -s offprint -- |cli\/offprint\.mjs )(.*)|npm (start.*)/;

/** The words of a command of ours; undefined: the line is none. */
export function commandWords(line: string): readonly string[] | undefined {
  const typed = OURS.exec(line)?.slice(1).join('');
  const [command] = typed?.replace(/^start --(?= )/, 'start').split(/ (?:[|<>&#]|\d>)|;/) ?? [];
  return command?.match(/'[^']*'|"[^"]*"|\S+/g)?.map((word) => word.replace(/^(['"])(.*)\1$/, '$2'));
}

/** Why the command line refuses words; null: it takes them. @param isWhole whether all operands are given */
export function commandFault(program: Command, words: readonly string[], isWhole: boolean): string | null {
  let called = program;
  let rest = [...words];
  for (const name of words) {
    const child = called.commands.find((one) => one.name() === name);
    if (child === undefined) break;
    called = child;
    rest = rest.slice(1);
  }
  if (rest[0] === '--help' || rest[0] === '--version') return null;
  if (called.commands.length > 0) return 'names no command';
  try {
    called.configureOutput({ writeErr: () => undefined });
    const { operands, unknown } = called.exitOverride().parseOptions(rest);
    if (unknown.length > 0) return `${unknown.join(' ')} is unknown`;
    const taken = called.registeredArguments;
    const isFew = operands.length < taken.filter(({ required }) => required).length;
    const isMany = operands.length > taken.length && !taken.some(({ variadic }) => variadic);
    return isWhole && (isFew || isMany) ? `${operands.length} operands` : null;
  } catch (error) {
    if (error instanceof CommanderError && isWhole) return error.message;
    if (error instanceof CommanderError) return null; // An option without its value.
    throw error;
  }
}
