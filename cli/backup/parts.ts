/** Contents of a backup: all that cannot be generated. The output can: `build` generates it. */
import { quotaPath } from '../../gateway/node/one-machine.ts';
import { type CommandFlags, type DatabaseFlags, keysDatabase, sourceOf } from '../options.ts';
import { type Config, DEFAULT_CONFIG } from '../settings.ts';
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
  readonly kind: 'ours' | 'held' | 'database' | 'configuration' | 'text';
}

/** Excludes a live database, which belongs to another program, but includes its keys and views. */
export function backupParts(flags: BackupFlags, config: Config): readonly BackupPart[] {
  const keys = keysDatabase(flags, config);
  const source = sourceOf(flags, config);
  return [
    { name: CONFIG_NAME, path: flags.config ?? DEFAULT_CONFIG, kind: 'configuration' },
    ...(source === undefined
      ? [{ name: 'blog.db', path: flags.db, kind: 'ours' as const }]
      : [{ name: 'views.sql', path: source, kind: 'text' as const }]),
    ...(keys === flags.db ? [] : [{ name: 'keys.db', path: keys, kind: 'ours' as const }]),
    { name: 'counts.db', path: quotaPath(flags.out), kind: 'held' },
    { name: 'usage.db', path: usagePath(flags.out), kind: 'database' },
  ];
}
