import { shellQuoted } from '../../common/shell.ts';
import { quotaPath } from '../../gateway/node/one-machine.ts';
import type { CommandFlags } from '../options.ts';
import { DEFAULT_CONFIG } from '../settings.ts';
import { usagePath } from '../usage/usage-log.ts';

/** Files that are not in backups and cannot be rebuilt. SQLite's logs next to them belong to them. */
export function notIncluded({ config = DEFAULT_CONFIG, out }: CommandFlags): string[] {
  return [config, quotaPath(out), usagePath(out)];
}

/** Lists them, quoted for a shell. */
export function describeNotIncluded(flags: CommandFlags): string {
  const [config = '', counts = '', usage = ''] = notIncluded(flags).map((path) => shellQuoted(path));
  return (
    `Not in the backup: settings (${config}), today's counts (${counts}*), usage (${usage}*). ` +
    'Stop Offprint to copy these files yourself.'
  );
}
