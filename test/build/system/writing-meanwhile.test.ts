import { expect, test } from 'vitest';
import { touchEveryPost } from '../../../bench/generate/changes.ts';
import { SILENT } from '../../../common/progress.ts';
import { readPublished } from '../published-blog.ts';
import { editing, publish, shortBlog } from '../publishing.ts';
import { blogPaths } from '../temporary-folder.ts';

test('each snapshot is of one commit, even if the database is written at each step of the build', async () => {
  const { db, out } = blogPaths();
  shortBlog(db, 130, 15);
  let generation = 0;
  /** Writes the next generation everywhere, in one transaction. */
  const write = () =>
    editing(db, (blog) =>
      blog.transaction(() => {
        generation += 1;
        touchEveryPost(blog, generation);
        blog.prepare('UPDATE posts SET views = ?').run(generation);
        for (const table of ['categories', 'tags', 'authors'])
          blog
            .prepare(`UPDATE ${table} SET name = 'Of ' || id || ' [generation ' || ? || ']'`)
            .run(generation);
      })(),
    );
  const often = { ...SILENT, begin: write, advance: write };
  for (const options of [
    { threads: false, progress: often },
    { threads: true, progress: often },
    { threads: true, progress: { ...SILENT, advance: write } }, // After its threads have begun to read.
  ]) {
    write();
    const before = generation;
    await publish(db, out, options);
    expect(generation).toBeGreaterThan(before);
    const text = JSON.stringify(readPublished(out));
    const found = [...text.matchAll(/\[generation (\d+)\]|"views":(\d+)/g)];
    const shown = new Set(found.map(([, name, views]) => Number(name ?? views)));
    expect([...shown]).toEqual([expect.any(Number)]);
    for (const one of shown) expect(one).toBeGreaterThanOrEqual(before);
  }
});
