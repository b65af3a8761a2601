import type { Command, Option } from 'commander';
import { markdownTable } from './markdown-table.ts';

/**
 * `docs/commands.md`: every command with its `--help`. Options that several commands share are explained once.
 *
 * @param program with all commands
 * @returns Markdown
 */
export function commandsPage(program: Command): string {
  const commands = program.commands.flatMap((command) => leaves(command, []));
  const rows = commands.flatMap(({ command }) => shownOptions(command).map((option) => cells(option).join()));
  const isShared = (option: Option) => rows.filter((row) => row === cells(option).join()).length >= SHARED_BY;
  const shared = new Map(
    commands.flatMap(({ command }) =>
      shownOptions(command).flatMap((option) => (isShared(option) ? [[option.flags, option] as const] : [])),
    ),
  );
  return [
    '# Commands',
    '',
    'Written from `--help` by `npm run docs`; do not edit.',
    '',
    'Exit codes: 0 success, 1 failure, 2 wrong usage; `status` has [more](operators/monitoring.md#status). `NO_COLOR=1` turns colours off;',
    'they are used in terminals only. An option takes precedence over its variable in the environment, and both over',
    '[the configuration](configuration.md).',
    '',
    '## Shared options',
    '',
    'A command names those that it takes.',
    '',
    markdownTable(HEAD, [...shared.values()].map(cells)),
    ...commands.flatMap((leaf) => describe(leaf, isShared)),
    '',
  ].join('\n');
}

/** By how many commands an option is taken to be explained once. */
const SHARED_BY = 2;
const HEAD = ['option', 'meaning', 'default', 'variable'];

interface Leaf {
  readonly name: string;
  readonly command: Command;
}

function leaves(command: Command, path: readonly string[]): Leaf[] {
  const names = [...path, command.name()];
  if (command.commands.length > 0) return command.commands.flatMap((child) => leaves(child, names));
  return [{ name: names.join(' '), command }];
}

function shownOptions(command: Command): Option[] {
  return command.options.filter(({ hidden }) => !hidden);
}

function describe({ name, command }: Leaf, isShared: (option: Option) => boolean): string[] {
  const taken = command.registeredArguments;
  const words = taken.map((argument) => {
    const text = argument.variadic ? `${argument.name()}...` : argument.name();
    return argument.required ? `<${text}>` : `[${text}]`;
  });
  const options = shownOptions(command);
  const own = options.filter((option) => !isShared(option));
  const shared = options.filter(isShared).map(({ long, flags }) => code(long ?? flags));
  return [
    '',
    `## ${name}`,
    '',
    `\`offprint ${[name, ...words].join(' ')}\`: ${command.description()}.`,
    ...(taken.length === 0
      ? []
      : ['', ...taken.map((argument) => `- \`${argument.name()}\`: ${cell(argument.description)}`)]),
    ...(shared.length === 0
      ? []
      : ['', `${own.length === 0 ? 'Takes' : 'Also takes'} ${shared.join(', ')}.`]),
    ...(own.length === 0 ? [] : ['', markdownTable(HEAD, own.map(cells))]),
  ];
}

function cells({
  flags,
  description,
  defaultValue,
  defaultValueDescription,
  envVar,
}: Option): readonly string[] {
  // The description of an option may contain its default, if that depends on something.
  const [, meaning = '', said] = /^(.*?)(?: \(default: (.*)\))?$/.exec(description) ?? [];
  const value: unknown = defaultValueDescription ?? defaultValue;
  const isShown = typeof value === 'string' || typeof value === 'number';
  return [
    code(flags),
    cell(meaning),
    said ?? (isShown ? code(String(value)) : ''),
    envVar ? code(envVar) : '',
  ];
}

/** Escapes bars, which would end the cell. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

function code(text: string): string {
  return `\`${cell(text)}\``;
}
