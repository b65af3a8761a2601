import { readFileSync } from 'node:fs';
import { isText, parseJson, recordOf } from '../contract/json.ts';

const isPackage = recordOf<{ version: string }>({ version: isText });

/**
 * The version that a `package.json` says.
 *
 * @throws an error of the file system, SyntaxError
 */
export function packageVersion(path: string | URL): string {
  return parseJson(readFileSync(path, 'utf8'), isPackage, 'a package.json with a version').version;
}
