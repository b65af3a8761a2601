import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { FORMAT } from '../contract/snapshot.ts';
import type { Site } from './site.ts';

const require = createRequire(import.meta.url);

/**
 * Says all that objects depend on beside the database's rows: this program's own text, the sanitiser's
 * version, and the site's addresses. When it differs from the last build's, nothing remembered is used.
 * It is taken from the files themselves, so that nobody has to remember to raise a number.
 */
export function engineFingerprint(site: Site): string {
  const hash = createHash('sha256');
  for (const folder of ['./', '../contract/']) {
    const path = fileURLToPath(new URL(folder, import.meta.url));
    for (const file of readdirSync(path).sort()) {
      if (file.endsWith('.ts')) hash.update(file).update(readFileSync(path + file));
    }
  }
  const sanitiser: { version: string } = require('sanitize-html/package.json');
  hash.update(JSON.stringify({ format: FORMAT, sanitiser: sanitiser.version, site }));
  return hash.digest('base64url');
}
