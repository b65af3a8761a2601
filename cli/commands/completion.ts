import { Argument, type Command } from 'commander';
import { completionScript, type Shell, SHELLS } from '../completion.ts';
import { mainCommand } from '../options.ts';

export function completionCommand(): Command {
  return mainCommand('completion', [], 'completion bash >> ~/.bashrc')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SHELLS)))
    .action(run);
}

async function run(shell: Shell): Promise<void> {
  const { program } = await import('../main.ts');
  process.stdout.write(completionScript(await program(), shell));
}
