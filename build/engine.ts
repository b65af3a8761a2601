import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageVersion } from '../common/package-version.ts';
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
  const sanitiser = packageVersion(require.resolve('sanitize-html/package.json'));
  hash.update(JSON.stringify({ format: FORMAT, sanitiser, site, html }));
  return hash.digest('base64url');
}

/**
 * Says all of the program that the documentation depends on (documentation.ts): what makes the other objects, the
 * gateway's core, which is asked for the examples, and the version of the API reference.
 *
 * @param engine engineFingerprint
 */
export function documentationFingerprint(engine: string): string {
  const hash = createHash('sha256').update(engine);
  for (const path of documentationFiles()) hash.update(basename(path)).update(readFileSync(path));
  const reference = join(require.resolve('@scalar/fastify-api-reference'), '../../package.json');
  return hash.update(packageVersion(reference)).digest('base64url');
}

/** The program's files that have a part in making the documentation, but for engineFiles. */
export function documentationFiles(): string[] {
  const core = ['', 'endpoints/', 'listing/', 'snapshot/'].map((folder) => `../gateway/${folder}`);
  return filesIn(['./description/', './page/', ...core], /\.(?:ts|js|css|svg)$/);
}

/** The program's files that have a part in making objects. */
export function engineFiles(): string[] {
  return filesIn(['./', './html/', '../common/', '../contract/'], /\.ts$/);
}

function filesIn(folders: readonly string[], names: RegExp): string[] {
  return folders.flatMap((folder) => {
    const path = fileURLToPath(new URL(folder, import.meta.url));
    return readdirSync(path)
      .filter((file) => names.test(file))
      .sort()
      .map((file) => path + file);
  });
}
