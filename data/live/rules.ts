import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { programFile } from '../../common/program-files.ts';

let rules: string | undefined;

/**
 * A hash of the rules for reading rows: this program's files, so that no version must be raised by hand, and the
 * packages with their versions. In the npm package it is computed at packaging (release/package.ts).
 */
export function rulesFingerprint(): string {
  if (rules !== undefined) return rules;
  const hash = createHash('sha256');
  for (const folder of ['data/live/', 'common/content/']) {
    const path = programFile(folder);
    for (const file of readdirSync(path, { recursive: true, encoding: 'utf8' }).sort()) {
      if (file.endsWith('.ts')) hash.update(file).update(readFileSync(path + file));
    }
  }
  hash.update(readFileSync(programFile('package.json')));
  rules = hash.digest('base64url');
  return rules;
}
