import { createHash, type Hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { packageVersion } from '../common/package-version.ts';
import { programFile } from '../common/program-files.ts';

/*
 * What the program is, as hashes of its own source files: no version number has to be raised by hand. The package has no
 * source files. There the functions of this module that give a text give what they gave when it was made
 * (release/package.ts).
 */

const require = createRequire(import.meta.url);

/** A hash of the program's text that has a part in making objects, and of the sanitiser's version. */
export const engineProgram = once(() => {
  const sanitiser = packageVersion(require.resolve('sanitize-html/package.json'));
  return hashOf(engineFiles()).update(sanitiser).digest('base64url');
});

/** A hash of the program's text that has a part in making the documentation, and of the API reference's version. */
export const documentationProgram = once(() => {
  const reference = join(require.resolve('@scalar/fastify-api-reference'), '../../package.json');
  return hashOf(documentationFiles()).update(packageVersion(reference)).digest('base64url');
});

/** A process runs the program that it has loaded: the schedule asks each minute, and the files are read once. */
function once(make: () => string): () => string {
  let made: string | undefined;
  return () => (made ??= make());
}

function hashOf(paths: readonly string[]): Hash {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(basename(path)).update(readFileSync(path));
  return hash;
}

/** The program's files that have a part in making the documentation, but for engineFiles. */
export function documentationFiles(): string[] {
  const core = ['', 'changes/', 'endpoints/', 'listing/', 'snapshot/'].map((folder) => `gateway/${folder}`);
  return filesIn(['build/description/', 'build/page/', ...core], /\.(?:ts|js|css|svg)$/);
}

/** The program's files that have a part in making objects. */
export function engineFiles(): string[] {
  return filesIn(['build/', 'build/html/', 'build/search/', 'common/', 'contract/'], /\.ts$/);
}

function filesIn(folders: readonly string[], names: RegExp): string[] {
  return folders.flatMap((folder) => {
    const path = programFile(folder);
    return readdirSync(path)
      .filter((file) => names.test(file))
      .sort()
      .map((file) => path + file);
  });
}
