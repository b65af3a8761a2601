import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FORMAT } from '../contract/snapshot.ts';
import type { HtmlAdditions } from './html/policy.ts';
import type { Site } from './site.ts';

const require = createRequire(import.meta.url);

/**
 * Says all that objects depend on beside the database's rows: this program's own text, the sanitiser's
 * version, the site's addresses, and what the owner adds to the HTML policy. When it differs from the last build's, nothing remembered is used.
 * It is taken from the files themselves, so that nobody has to remember to raise a number.
 */
export function engineFingerprint(site: Site, html: HtmlAdditions): string {
  const hash = createHash('sha256');
  for (const path of engineFiles()) hash.update(basename(path)).update(readFileSync(path));
  const sanitiser: { version: string } = require('sanitize-html/package.json');
  hash.update(JSON.stringify({ format: FORMAT, sanitiser: sanitiser.version, site, html }));
  return hash.digest('base64url');
}

/** The program's files that have a part in making objects. */
export function engineFiles(): string[] {
  return ['./', './html/', '../common/', '../contract/'].flatMap((folder) => {
    const path = fileURLToPath(new URL(folder, import.meta.url));
    return readdirSync(path)
      .filter((file) => file.endsWith('.ts'))
      .sort()
      .map((file) => path + file);
  });
}
