/** Commands in messages and documents, as a shell and the command line would understand them when they are pasted. */
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { stripVTControlCharacters } from 'node:util';
import { CommanderError, type Command } from 'commander';

/** How a command of ours begins, after variables that it is given. */
const OURS = String.raw`(?:(?:npx (?:--no |--package=\S+ )?)?offprint|npm run -s offprint --|npm start)(?= |$)`;
const AT_START = new RegExp(String.raw`^(?:\$ )?(?:[A-Z_]+=\S+ )*${OURS}`);
const IN_TEXT = new RegExp(String.raw`(?<![\w/."-])${OURS}.*`);

/** Lines whose ends are joined where a shell would do so. */
function joined(text: string): string[] {
  return stripVTControlCharacters(text)
    .replace(/ ?\\\n\s*/g, ' ')
    .split('\n');
}

/** Lines of ours in a block of shell code. */
export function commandLines(code: string): string[] {
  return joined(code)
    .filter((line) => AT_START.test(line))
    .map((line) => line.replace(/^\$ /, ''));
}

/** Commands of ours in output for people: in quotes, or to the end of the line or of the clause. */
export function printedCommands(text: string): string[] {
  const quoted = new RegExp(String.raw`"(${OURS}[^"\n]*)"`, 'g');
  const lines = joined(text).filter((line) => !/^[[{]/.test(line));
  const inQuotes = lines.flatMap((line) => [...line.matchAll(quoted)].map(([, command = '']) => command));
  const others = lines
    .map((line) => line.replace(quoted, ''))
    .flatMap((line) => line.split(/, or |, and |\. (?=[A-Z])|; |: (?=npm|npx|offprint)/))
    .map((clause) => IN_TEXT.exec(clause)?.[0] ?? '')
    .filter((command) => command !== '')
    .map((command) => command.replace(/[,.;:]+$/, ''));
  return [...inQuotes, ...others];
}

/** The words that the program would get; null: it uses more of the shell than this tries. */
function wordsOf(command: string): readonly string[] | null {
  if (/[|<>&`]|\$\(/.test(command)) return null;
  const stubs = ['offprint', 'npm', 'npx'].map((name) => `${name}() { printf '%s\\0' ${name} "$@"; };`);
  const { status, stdout } = spawnSync('sh', ['-c', `${stubs.join(' ')}\n${command}`], {
    cwd: tmpdir(),
    encoding: 'utf8',
  });
  return status === 0 ? stdout.split('\0').slice(0, -1) : [];
}

/** What is wrong with a command; null: a shell and the command line take it. */
export function faultOf(program: Command, command: string): string | null {
  const { status, stderr } = spawnSync('sh', ['-n', '-c', command], { encoding: 'utf8' });
  if (status !== 0) return `${command}: ${stderr}`;
  const words = wordsOf(command);
  if (words === null) return null;
  const start = words.indexOf('offprint');
  const args = words[1] === 'start' && start === -1 ? ['start', ...words.slice(3)] : words.slice(start + 1);
  return unknownIn(program, args[0] === '--' ? args.slice(1) : args, command);
}

function unknownIn(program: Command, args: readonly string[], command: string): string | null {
  let called = program;
  let rest = [...args];
  for (;;) {
    const child = called.commands.find((one) => one.name() === rest[0]);
    if (child === undefined) break;
    called = child;
    rest = rest.slice(1);
  }
  if (rest[0] === '--help' || rest[0] === '--version') return null;
  try {
    called.configureOutput({ writeErr: () => undefined });
    const { operands, unknown } = called.exitOverride().parseOptions(rest);
    const required = called.registeredArguments.filter((argument) => argument.required).length;
    const most = called.registeredArguments.some(({ variadic }) => variadic)
      ? Infinity
      : called.registeredArguments.length;
    if (unknown.length > 0) return `${command}: ${unknown.join(' ')} is unknown`;
    if (called.commands.length > 0) return `${command}: names no command`;
    return operands.length < required || operands.length > most
      ? `${command}: ${operands.length} operands`
      : null;
  } catch (error) {
    if (error instanceof CommanderError) return `${command}: ${error.message}`;
    throw error;
  }
}
