import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { programFile } from '../../common/program-files.ts';

let rules: string | undefined;

/**
 * A hash of the rules by which rows are read: this program's files, so that no version has to be raised by hand, and
 * the list of packages with their versions. The package gives the one it had when it was made (release/package.ts).
 */
export function rulesFingerprint(): string {
  if (rules !== undefined) return rules;
  const hash = createHash('sha256');
  for (const folder of ['data/live/', 'data/content/']) {
    const path = programFile(folder);
    for (const file of readdirSync(path, { recursive: true, encoding: 'utf8' }).sort()) {
      if (file.endsWith('.ts')) hash.update(file).update(readFileSync(path + file));
    }
  }
  hash.update(readFileSync(programFile('package.json')));
  rules = hash.digest('base64url');
  return rules;
}
