import type { Command } from 'commander';
import { writeSite } from '../../gateway/node/write-site.ts';
import { colours } from '../colours.ts';
import { command } from '../options.ts';
import { counted } from '../terminal.ts';

export function siteCommand(): Command {
  return command(
    'site',
    'write the documentation page and openapi.json as files, for a host of static files',
    ['out'],
    'site dist/site',
  )
    .argument('<folder>', 'where to write them; it is made if it is not there')
    .action(run);
}

async function run(folder: string, { out }: { readonly out: string }): Promise<void> {
  const paths = await writeSite(out, folder);
  console.log(`${colours.green('wrote')} ${counted(paths.length, 'file')} and _headers into ${folder}`);
}
