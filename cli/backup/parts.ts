/** Contents of a backup: all that cannot be generated. The output can: `build` generates it. */
import { quotaPath } from '../../gateway/node/one-machine.ts';
import { type CommandFlags, type DatabaseFlags, keysDatabase } from '../options.ts';
import { DEFAULT_CONFIG } from '../settings.ts';
import { usagePath } from '../usage/usage-log.ts';

export type BackupFlags = DatabaseFlags & Omit<CommandFlags, 'json'>;

/** The configuration's name in the archive. */
export const CONFIG_NAME = 'offprint.json';

/** A file of a backup. */
export interface BackupPart {
  /** The name in the archive. */
  readonly name: string;
  readonly path: string;
  /** `ours`: a database of blogs and keys. `held`: one that a running service locks. */
  readonly kind: 'ours' | 'held' | 'database' | 'configuration';
}

export function backupParts(flags: BackupFlags): readonly BackupPart[] {
  const keys = keysDatabase(flags);
  return [
    { name: CONFIG_NAME, path: flags.config ?? DEFAULT_CONFIG, kind: 'configuration' },
    { name: 'blog.db', path: flags.db, kind: 'ours' },
    ...(keys === flags.db ? [] : [{ name: 'keys.db', path: keys, kind: 'ours' as const }]),
    { name: 'counts.db', path: quotaPath(flags.out), kind: 'held' },
    { name: 'usage.db', path: usagePath(flags.out), kind: 'database' },
  ];
}
