import { existsSync } from 'node:fs';
import { isRemote } from '../../import/sources/fingerprint.ts';
import { commandLine } from '../command-line.ts';
import { importName, readImports } from '../import-record.ts';
import { age } from '../terminal.ts';
import { error, type Finding, ok, warning } from './finding.ts';
import type { Installation } from './installation.ts';

/** Whether the imported blogs exist and have been read. `failures.ts` reports failed imports. */
export function checkImports({ settings, out }: Installation): Finding[] {
  const records = readImports(out);
  return settings.import.map((setting) => {
    const { format, path } = setting;
    const name = importName(setting);
    if (!isRemote(path) && !existsSync(path))
      return error(
        `There is nothing at ${path}, which the configuration imports.`,
        'Correct "import" in offprint.json.',
      );
    const record = records.find((one) => one.format === format && one.path === path);
    if (record?.imported_at) return ok(`${name} was looked at ${age(record.imported_at)} ago`);
    if (record?.failure || record?.running) return ok(`${name} was never imported`);
    return warning(`${name} was never imported.`, `Run ${commandLine('import')}, or ${commandLine('start')}`);
  });
}
