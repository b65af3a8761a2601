import { Argument, type Command } from 'commander';
import { COMMAND_LIST } from '../command-list.ts';
import { completionScript, type Shell, SHELLS } from '../completion.ts';
import { command } from '../options.ts';

export function completionCommand(): Command {
  return command('completion', COMMAND_LIST.completion.does, [], 'completion bash >> ~/.bashrc')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SHELLS)))
    .action(run);
}

async function run(shell: Shell): Promise<void> {
  const { program } = await import('../main.ts');
  process.stdout.write(completionScript(await program(), shell));
}
