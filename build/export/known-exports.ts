import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { replacePrivateFile } from '../../common/output-files.ts';
import { isNumber, isText, listOf, parseJson, recordOf } from '../../contract/json.ts';
import { isExport } from './folder.ts';

/** A folder to which an output was exported. */
export interface KnownExport {
  /** Absolute. */
  readonly folder: string;
  readonly per_page: number;
}

const isKnown = listOf(recordOf<KnownExport>({ folder: isText, per_page: isNumber }));

/** The folders to which this output was exported and that still contain an export: `out/state/exports.json`. */
export function readExports(out: string): readonly KnownExport[] {
  const path = pathIn(out);
  if (!existsSync(path)) return [];
  return parseJson(readFileSync(path, 'utf8'), isKnown, 'a list of exports').filter(({ folder }) =>
    isExport(folder),
  );
}

/** Records a folder for `withdraw`, before the export writes to it. @throws OutputUnwritable */
export function noteExport(out: string, folder: string, perPage: number): void {
  const known = { folder: resolve(folder), per_page: perPage };
  const others = readExports(out).filter((other) => other.folder !== known.folder);
  replacePrivateFile(pathIn(out), `${JSON.stringify([...others, known], null, 2)}\n`);
}

function pathIn(out: string): string {
  return join(out, 'state', 'exports.json');
}
