import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ONCE, plantedWords, TEN_TIMES } from '../../../bench/generate/planted.ts';
import type { Summary } from '../../../contract/api.ts';
import { directoryOf, readLines } from '../../build/output.ts';
import { publish, shortBlog } from '../../build/publishing.ts';
import { folderUntil } from '../../build/temporary-folder.ts';
import { paged, summary } from '../../conformance/shapes.ts';
import { openOracle } from '../../oracle/oracle.ts';
import { exportTree } from '../../../build/export/export.ts';
import { Search } from '../../../build/export/search/search.ts';
import { DiskSnapshotStore } from '../../../gateway/node/disk-snapshot-store.ts';

const POSTS = 2400;
const folder = folderUntil(afterAll);

test('the script of an export finds what SQL finds, with few reads', async () => {
  const [db, out] = [join(folder, 'blog.db'), join(folder, 'out')];
  shortBlog(db, POSTS, 3);
  await publish(db, out);
  const summaries = directoryOf(out).pages.flatMap((hash) =>
    readLines(out, hash).records.map((line): Summary => JSON.parse(line)),
  );
  expect(directoryOf(out).suffixes.length).toBeGreaterThan(5);

  const texts = summaries.flatMap(({ title, description }) => [title, description ?? '']);
  const parts = Array.from({ length: 150 }, (_, i) => {
    const characters = [...(texts[(i * 7919) % texts.length] ?? '')];
    const from = (i * 104_729) % characters.length;
    return characters.slice(from, from + 1 + (i % 9)).join('');
  });
  const queries = [
    ...Object.values(plantedWords).map(({ word }) => word),
    ...[ONCE, TEN_TIMES, 'zyzzyva', 'harbour lantern', 'oxbow quartz', 'eleas', 'field notes'],
    ...['e', '\u706f', 'th', 'a e i o n r s t', 'qqq', 'harbourmaster'],
    ...parts.filter((part) => part.trim() !== '' && part.isWellFormed()),
  ];
  const tree = join(folder, 'tree');
  const store = new DiskSnapshotStore(out);
  await exportTree({ store, blog: null, folder: tree, perPage: 50, full: false });
  let reads: string[] = [];
  const read = (path: string) => {
    reads.push(path);
    return readFile(join(tree, 'search', path));
  };
  const oracle = openOracle(db);
  let some = 0;
  for (const q of queries) {
    const search = await Search.open(read);
    reads = [];
    const found = await search.find(q);
    const objects = reads.filter((path) => path.startsWith('suffixes/'));
    expect(objects.length, q).toBeLessThanOrEqual(q.split(' ').length);
    expect(reads.length - objects.length, q).toBeLessThanOrEqual(8 + 5);
    const { items, meta } = paged(summary).parse(oracle.posts({ q, sort: 'old', per_page: 50 }));
    expect(found.length, q).toBe(meta.total);
    expect(
      found.slice(0, 50).map((position) => summaries[position]?.slug),
      q,
    ).toEqual(items.map(({ slug }) => slug));
    const second = oracle.posts({ q, sort: 'new', page: 2, per_page: 10 });
    const shown = paged(summary)
      .parse(second)
      .items.map(({ views: _, ...others }) => others);
    expect(await search.query(q, { page: 2, perPage: 10 }), q).toMatchObject({
      total: meta.total,
      items: shown,
    });
    if (found.length > 0) some += 1;
  }
  oracle.close();
  expect(some).toBeGreaterThan(queries.length / 2);
});
