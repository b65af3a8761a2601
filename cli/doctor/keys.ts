import { existsSync } from 'node:fs';
import { checkKeyFiles, compareKeyFiles } from '../../data/accounts/key-files.ts';
import { storedKeys } from '../../data/accounts/keys.ts';
import { commandLine } from '../command-line.ts';
import { counted } from '../terminal.ts';
import { error, failed, type Finding, ok } from './finding.ts';
import { type Installation, ownDatabases } from './installation.ts';
import { examining } from './read-database.ts';

/** Whether the gateway has the same keys as the database. */
export function checkKeyRecords(installation: Installation): Finding[] {
  const { keys: path, out } = installation;
  if (!ownDatabases(installation).includes(path)) return [];
  try {
    const keys = examining(path, storedKeys);
    checkKeyFiles(out, keys);
    const { unknown, outdated } = compareKeyFiles(out, keys);
    // Without a file, the gateway accepts no key.
    const revoked = outdated.filter(({ key, path: file }) => key.record.revoked && existsSync(file));
    const [missing] = outdated.filter(({ key }) => !key.record.revoked);
    const sync = `The next build corrects it: ${commandLine('build')}`;
    if (revoked.length > 0)
      return [
        error(`The key ${revoked[0]?.key.record.prefix} is revoked, but the gateway still accepts it.`, sync),
      ];
    if (unknown.length > 0)
      return [
        error(`The gateway accepts ${counted(unknown.length, 'key')} that the database does not have.`, sync),
      ];
    if (missing) return [error(`The gateway does not know the key ${missing.key.record.prefix}.`, sync)];
    const active = keys.filter(({ record }) => !record.revoked).length;
    return [
      ok(
        active === 0
          ? 'no keys: callers without one can read too'
          : `${counted(active, 'key')}, known to the gateway`,
      ),
    ];
  } catch (thrown) {
    return [failed(thrown)];
  }
}
