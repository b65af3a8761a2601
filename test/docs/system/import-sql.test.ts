/**
 * The example of the page about other programs' databases works.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importConfigured } from '../../../cli/imports.ts';
import { readPublished } from '../../build/published-blog.ts';
import { NOW, publish } from '../../build/publishing.ts';
import { blogPaths } from '../../build/temporary-folder.ts';
import { changing } from '../../import/foreign-database.ts';
import { codeBlocks, read } from '../documents.ts';

const PAGE = 'docs/owners/import-sql.md';

describe(PAGE, () => {
  it('has a working example', async () => {
    const [schema, sql] = codeBlocks(read(PAGE))
      .filter(({ language }) => language === 'sql')
      .map(({ code }) => code);
    const { folder, db, out } = blogPaths();
    const [path, views] = [join(folder, 'mine.db'), join(folder, 'views.sql')];
    changing(path, (theirs) => {
      theirs.exec(schema ?? '');
      theirs.exec(`
        INSERT INTO person VALUES (1, 'ann', 'Ann', NULL);
        INSERT INTO entry VALUES (1, 'one', 'One', NULL, '*1*', 1, '2024-07-01 10:00:00', 1, 5), (2, 'two', 'Two', NULL, '', 0, NULL, 1, 0);
        INSERT INTO label VALUES (1, 'C++');
      `);
    });
    writeFileSync(views, sql ?? '');
    const config = { import: [{ format: 'sql' as const, path, views }], site: {} };
    const [outcome] = await importConfigured({ db, out, config, now: NOW });
    expect(outcome?.report).toMatchObject({ posts: { published: 1 }, skipped: [] });
    await publish(db, out);
    const { summaries, details } = readPublished(out);
    expect(summaries).toMatchObject([
      {
        url: 'https://blog.example/entries/one',
        published_at: '2024-07-01T12:00:00+02:00',
        author: { username: 'ann' },
        tags: ['C++'],
        views: 5,
      },
    ]);
    expect(details).toMatchObject([{ content: '<p><em>1</em></p>\n' }]);
  });
});
