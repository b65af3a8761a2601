import { renameSync, rmSync } from 'node:fs';
import { programFile } from '../common/program-files.ts';
import { openForWriting } from './database.ts';
import { FORMATS } from './import/formats.ts';
import { importBlog } from './import/import.ts';
import { SAMPLE } from './import/sample-origin.ts';

const POSTS = programFile('data/sample');

/**
 * Makes the sample blog's database at `path`, where there is none yet: whole, or not at all.
 *
 * @param now tells which of its posts are still to come
 */
export async function createSampleBlog(path: string, now: Date): Promise<void> {
  const part = `${path}.part`;
  for (const suffix of ['', '-wal', '-shm']) rmSync(part + suffix, { force: true });
  const db = openForWriting(part);
  try {
    db.prepare('UPDATE site SET name = ?').run(SAMPLE.name);
    const items = FORMATS.markdown.read(POSTS, { now });
    await importBlog({ db, items, site: { url: SAMPLE.url }, name: SAMPLE.origin, isSample: true });
  } finally {
    db.close();
  }
  renameSync(part, path);
}
