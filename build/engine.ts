import { createHash, type Hash } from 'node:crypto';
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
 * A hash of all that objects depend on, except the database's rows: this program's own text, the sanitiser's
 * version, that of ICU, by which texts are cut into words, the site's addresses, and what the owner adds to the HTML
 * policy. When it differs from the last build's, nothing remembered is used.
 * It is taken from the files themselves, so that no version number has to be raised by hand.
 */
export function engineFingerprint(site: Site, html: HtmlAdditions): string {
  const hash = createHash('sha256').update(engineProgram());
  const sanitiser = packageVersion(require.resolve('sanitize-html/package.json'));
  const { icu } = process.versions;
  hash.update(JSON.stringify({ format: FORMAT, sanitiser, icu, site, html }));
  return hash.digest('base64url');
}

/**
 * A hash of the program files that the documentation depends on (documentation.ts): what makes the other objects, the
 * gateway's core, which is asked for the examples, and the version of the API reference.
 *
 * @param engine engineFingerprint
 */
export function documentationFingerprint(engine: string): string {
  return createHash('sha256').update(engine).update(documentationProgram()).digest('base64url');
}

const engineProgram = once(() => hashOf(engineFiles()).digest());

const documentationProgram = once(() => {
  const reference = join(require.resolve('@scalar/fastify-api-reference'), '../../package.json');
  return hashOf(documentationFiles()).update(packageVersion(reference)).digest();
});

/** A process runs the program that it has loaded: the schedule asks each minute, and the files are read once. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

function hashOf(paths: readonly string[]): Hash {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(basename(path)).update(readFileSync(path));
  return hash;
}

/** The program's files that have a part in making the documentation, but for engineFiles. */
export function documentationFiles(): string[] {
  const core = ['', 'changes/', 'endpoints/', 'listing/', 'snapshot/'].map(
    (folder) => `../gateway/${folder}`,
  );
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
