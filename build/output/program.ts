import { createHash, type Hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { packageVersion } from '../../common/package-version.ts';
import { programFile } from '../../common/program-files.ts';
import { withSlashes } from '../../common/slashes.ts';

/*
 * Hashes of the program's own source files, so that no version number needs to be raised by hand. The package has no
 * source files: release/compile.ts replaces the functions of this module that return a text by their results.
 */

const require = createRequire(import.meta.url);

/** A hash of the source files that affect objects, and of the sanitiser's version. */
export const engineProgram = memoise(() => {
  const sanitiser = packageVersion(require.resolve('sanitize-html/package.json'));
  return hashFiles(engineFiles()).update(sanitiser).digest('base64url');
});

/** A hash of the source files that affect the documentation, and of the API reference's version. */
export const documentationProgram = memoise(() => {
  const reference = join(require.resolve('@scalar/fastify-api-reference'), '../../package.json');
  return hashFiles(documentationFiles()).update(packageVersion(reference)).digest('base64url');
});

/** A process runs the program that it loaded, so the files are read once; the schedule asks every minute. */
function memoise(make: () => string): () => string {
  let made: string | undefined;
  return () => (made ??= make());
}

function hashFiles(paths: readonly string[]): Hash {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(basename(path)).update(readFileSync(path));
  return hash;
}

/** The source files that affect the documentation, without engineFiles. */
export function documentationFiles(): string[] {
  const core = ['changes/', 'endpoints/', 'listing/', 'snapshot/'].map((folder) => `gateway/${folder}`);
  const pages = filesIn(['build/description/', 'build/page/', ...core], /\.(?:ts|js|css|svg)$/);
  return [...pages, ...filesIn(['gateway/'], /^[^/]*\.ts$/)];
}

/** The source files that affect objects. */
export function engineFiles(): string[] {
  const steps = ['output/', 'snapshot/', 'history/', 'html/', 'search/'].map((folder) => `build/${folder}`);
  return [...filesIn(['build/'], /^[^/]*\.ts$/), ...filesIn([...steps, 'common/', 'contract/'], /\.ts$/)];
}

/** @param names a pattern of paths below a folder */
function filesIn(folders: readonly string[], names: RegExp): string[] {
  return folders.flatMap((folder) => {
    const path = programFile(folder);
    return readdirSync(path, { recursive: true, encoding: 'utf8' })
      .map((file) => withSlashes(file))
      .filter((file) => names.test(file))
      .sort()
      .map((file) => path + file);
  });
}
