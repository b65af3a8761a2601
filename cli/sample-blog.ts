import { rmSync } from 'node:fs';
import { programFile } from '../common/program-files.ts';
import { rename } from '../common/rename.ts';
import { writingUntil } from '../data/database.ts';
import { importBlog } from '../data/imported/import.ts';
import { placePictures, SAMPLE } from '../data/sample-origin.ts';
import { FORMATS } from '../import/formats.ts';

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
  await writingUntil(part, async (db) => {
    db.prepare('UPDATE site SET name = ?').run(SAMPLE.name);
    const items = FORMATS.markdown.read(programFile('data/sample'), { now, plain: true });
    await importBlog({ db, items, site: { url: SAMPLE.url }, name: SAMPLE.origin, isSample: true });
    placePictures(db, url);
  });
  rename(part, path);
}
