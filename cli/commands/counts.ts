import type { Command } from 'commander';
import { colours } from '../colours.ts';
import { WrongUsage } from '../failure.ts';
import { command, mainCommand } from '../options.ts';

interface Options {
  readonly counts?: string;
  readonly sql?: boolean;
}

export function countsCommand(): Command {
  const example = 'counts init --counts postgres://offprint@db.example/offprint';
  return mainCommand('counts', [], example).addCommand(
    command('init', 'create the tables in PostgreSQL; safe to repeat', ['counts'], example)
      .option('--sql', 'print the SQL statements instead of running them')
      .action(init),
  );
}

async function init({ counts, sql = false }: Options): Promise<void> {
  const { TABLES } = await import('../../gateway/node/postgres/tables.ts');
  if (sql) {
    process.stdout.write(TABLES);
    return;
  }
  if (counts === undefined) throw new WrongUsage('counts init needs --counts, or --sql.');
  await (await import('../counts.ts')).makeTables(counts);
  console.log(`${colours.green('ready')} for serve --counts`);
}
