import { chmodSync, copyFileSync, existsSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { ensurePrivateFolder, PRIVATE_FILE } from '../common/private-files.ts';
import { programFile } from '../common/program-files.ts';
import { rename } from '../common/rename.ts';
import { writingTo } from '../data/database.ts';
import { placePictures, SAMPLE } from '../data/sample-origin.ts';

/** The sample blog's database in the package, where it is ready; a checkout has none. */
const READY = 'data/sample.db';

/**
 * Makes the sample blog's database at `path`, which must not exist: completely, or not at all.
 *
 * @param now decides which of its posts are still scheduled
 * @param url the service's address, with a slash at the end
 */
export async function createSampleBlog(
  path: string,
  now: Date,
  url: string = SAMPLE.pictures,
): Promise<void> {
  const part = `${path}.part`;
  for (const suffix of ['', '-wal', '-shm']) rmSync(part + suffix, { force: true });
  const ready = programFile(READY);
  if (existsSync(ready)) copyReady(ready, part);
  // Loaded only here: the importers are most of the program.
  else await (await import('./import-sample.ts')).importSample(part, now);
  writingTo(part, (db) => placePictures(db, url));
  rename(part, path);
}

/** Importing takes half of the first start. Each copy is another blog. */
function copyReady(ready: string, path: string): void {
  if (!existsSync(dirname(path))) ensurePrivateFolder(dirname(path));
  copyFileSync(ready, path);
  chmodSync(path, PRIVATE_FILE);
  writingTo(path, (db) =>
    db.exec(`UPDATE blog SET uid = lower(hex(randomblob(8)));
      UPDATE revision SET content = content + 1 + (random() & 0xFFFFFF)`),
  );
}
