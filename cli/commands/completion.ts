import { Argument, type Command } from 'commander';
import { completionScript, type Shell, SHELLS } from '../completion.ts';
import { command } from '../options.ts';

export function completionCommand(): Command {
  return command(
    'completion',
    'a script by which a shell completes commands and options',
    [],
    'completion bash >> ~/.bashrc',
  )
    .addArgument(new Argument('<shell>', 'which one').choices(Object.keys(SHELLS)))
    .action(run);
}

async function run(shell: Shell): Promise<void> {
  const { program } = await import('../main.ts');
  process.stdout.write(completionScript(await program(), shell));
}
