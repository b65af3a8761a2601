import type { Command } from 'commander';

/** Every variable that sets an option (docs/commands.md lists them). */
export function variablesOfOptions(command: Command): string[] {
  return [
    ...command.options.flatMap(({ envVar }) => envVar ?? []),
    ...command.commands.flatMap(variablesOfOptions),
  ];
}
