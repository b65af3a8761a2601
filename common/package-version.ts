import { readFileSync } from 'node:fs';
import { isText, parseJson, recordOf } from '../contract/json.ts';

const isPackage = recordOf<{ version: string }>({ version: isText });

/**
 * The version in a `package.json`.
 *
 * @throws Error of the file system, SyntaxError
 */
export function packageVersion(path: string | URL): string {
  return parseJson(readFileSync(path, 'utf8'), isPackage, 'a package.json with a version').version;
}
