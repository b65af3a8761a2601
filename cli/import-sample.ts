import { programFile } from '../common/program-files.ts';
import { writingUntil } from '../data/database.ts';
import { FORMATS } from '../import/formats.ts';
import { importBlog } from '../data/imported/import.ts';
import { SAMPLE } from '../data/sample-origin.ts';

/** Imports the sample blog from its Markdown into a new database. @param now as for createSampleBlog */
export async function importSample(path: string, now: Date): Promise<void> {
  await writingUntil(path, async (db) => {
    db.prepare('UPDATE site SET name = ?').run(SAMPLE.name);
    const items = FORMATS.markdown.read(programFile('data/sample'), { now, plain: true });
    await importBlog({ db, items, site: { url: SAMPLE.url }, name: SAMPLE.origin, isSample: true });
  });
}
