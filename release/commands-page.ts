import type { Command, Option } from 'commander';
import { markdownTable } from './markdown-table.ts';

/**
 * `docs/commands.md`: every command with its `--help`.
 *
 * @param program with all commands
 * @returns Markdown
 */
export function commandsPage(program: Command): string {
  const commands = program.commands.flatMap((command) => leaves(command, []));
  return [
    '# Commands',
    '',
    'Written from `--help` by `npm run docs`; do not edit.',
    '',
    'Exit codes: 0 success, 1 failure, 2 wrong usage; `status` has [more](operators/operating.md#status). `NO_COLOR=1` turns colours off;',
    'they are used in terminals only. An option takes precedence over its variable in the environment, and both over',
    '[the configuration](configuration.md).',
    ...commands.flatMap(describe),
    '',
  ].join('\n');
}

interface Leaf {
  readonly name: string;
  readonly command: Command;
}

function leaves(command: Command, path: readonly string[]): Leaf[] {
  const names = [...path, command.name()];
  if (command.commands.length > 0) return command.commands.flatMap((child) => leaves(child, names));
  return [{ name: names.join(' '), command }];
}

function describe({ name, command }: Leaf): string[] {
  const taken = command.registeredArguments;
  const words = taken.map((argument) => {
    const text = argument.variadic ? `${argument.name()}...` : argument.name();
    return argument.required ? `<${text}>` : `[${text}]`;
  });
  const options = command.options.filter(({ hidden }) => !hidden);
  return [
    '',
    `## ${name}`,
    '',
    `\`offprint ${[name, ...words].join(' ')}\`: ${command.description()}.`,
    ...(taken.length === 0
      ? []
      : ['', ...taken.map((argument) => `- \`${argument.name()}\`: ${cell(argument.description)}`)]),
    ...(options.length === 0
      ? []
      : ['', markdownTable(['option', 'meaning', 'default', 'variable'], options.map(cells))]),
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
