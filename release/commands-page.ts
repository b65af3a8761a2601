import { Command, type Option } from 'commander';

const HEAD = `# Commands

Generated from \`--help\` by \`npm run docs\`; do not edit.

Exit codes: 0 success, 1 failure, 2 wrong usage; \`status\` has [more](operators/monitoring.md#status). \`NO_COLOR=1\` turns colours off;
they are used in terminals only. An option takes precedence over its environment variable, and both over
[the configuration](configuration.md). \`offprint COMMAND --help\` lists all options of a command. This page lists options of several commands only once.
`;

/** `docs/commands.md`: the `--help` of every command. @param program with all commands */
export function commandsPage(program: Command): string {
  const commands = program.commands.flatMap((command) => leaves(command, command.name()));
  const options = commands.flatMap(([, command]) => command.options.filter(({ hidden }) => !hidden));
  const [shared, own] = [new Command('offprint COMMAND'), new Set<string>()];
  for (const [text, same] of Map.groupBy(options, optionText)) {
    const [option] = same;
    if (option && same.length > 1) shared.addOption(option);
    else own.add(text);
  }
  return [HEAD, section('Options of several commands', shared, () => true)]
    .concat(
      commands.map(([name, command]) => section(name, command, (option) => own.has(optionText(option)))),
    )
    .join('\n');
}

const optionText = ({ flags, description }: Option): string => flags + description;

function leaves(command: Command, name: string): (readonly [name: string, command: Command])[] {
  if (command.commands.length === 0) return [[name, command]];
  return command.commands.flatMap((child) => leaves(child, `${name} ${child.name()}`));
}

function section(title: string, command: Command, isShown: (option: Option) => boolean): string {
  command.configureOutput({ getOutHasColors: () => false, getOutHelpWidth: () => 110 });
  command.configureHelp({ visibleOptions: ({ options }) => options.filter(isShown) });
  const others = command.options.filter((option) => !option.hidden && !isShown(option));
  const also = others.map(({ long }) => `\`${long}\``).join(', ');
  return `## ${title}\n\n\`\`\`text\n${command.helpInformation()}\`\`\`\n${also && `\nAlso takes ${also}.\n`}`;
}
