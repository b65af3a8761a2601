import type { Command } from 'commander';
import { refuseUnreadable } from '../../common/errors.ts';
import { requireDatabase } from '../../data/database.ts';
import { writeBackup } from '../backup/write.ts';
import { backupParts } from '../backup/parts.ts';
import { colours } from '../colours.ts';
import { type CommandFlags, type DatabaseFlags, mainCommand } from '../options.ts';
import { megabytes } from '../terminal.ts';

export function backupCommand(): Command {
  return mainCommand('backup', ['db', 'keys', 'out', 'config', 'json'], 'backup blog-backup.zip')
    .argument('<file>', 'a zip file; an earlier backup of this name is replaced')
    .action(run);
}

async function run(file: string, { json, ...flags }: DatabaseFlags & CommandFlags): Promise<void> {
  const parts = backupParts(flags);
  for (const { path } of parts) refuseUnreadable(path); // Unreadable files would count as missing.
  const database = parts.find(({ kind }) => kind === 'ours');
  if (database) requireDatabase(database.path);
  const manifest = await writeBackup(file, parts, new Date());
  if (json) return console.log(JSON.stringify({ file, ...manifest }));
  const listed = manifest.files.map(({ name, bytes }) => `${name} (${megabytes(bytes)})`).join(', ');
  console.log(`${colours.green('backed up')} to ${file}: ${listed}`);
}
