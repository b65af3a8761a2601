/**
 * The search script of an export in a real browser finds what SQL finds.
 */
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { probes } from './probes.ts';
import { publish, shortBlog } from '../build/publishing.ts';
import { folderUntil } from '../build/temporary-folder.ts';
import { paged, summary } from '../conformance/shapes.ts';
import { serveFolder } from '../export/static-host.ts';
import { openOracle } from '../oracle/oracle.ts';
import { HAS_BROWSER, startBrowser } from '../service/browser.ts';
import { exportSearch } from './exported.ts';
import { lacks } from '../lacks.ts';

const POSTS = 1100;
const folder = folderUntil(afterAll);
const found = z.object({ total: z.number(), items: z.array(z.looseObject({ slug: z.string() })) });

test.skipIf(lacks('Chromium', HAS_BROWSER))(
  'a browser finds in the exported files what SQL finds',
  async () => {
    const [db, out, tree] = [join(folder, 'blog.db'), join(folder, 'out'), join(folder, 'tree')];
    shortBlog(db, POSTS, 5);
    await publish(db, out);
    await exportSearch(out, tree);
    const host = await serveFolder(tree);
    const browser = await startBrowser();
    try {
      const page = await browser.newPage();
      await page.goto(`${host.url}v1/index.json`);
      const oracle = openOracle(db);
      const queries = [
        ...Object.values(probes(POSTS)).map(({ q }) => q),
        ...['e', 'th', '\u706f', 'a e i o n r s t', 'ea er', 'nowhere-at-all'],
      ];
      let some = 0;
      for (const q of queries) {
        const { items, meta } = paged(summary).parse(oracle.posts({ q, sort: 'new', page: 2, per_page: 10 }));
        const { total, items: own } = found.parse(
          await page.evaluate(
            `import('${host.url}search/search.js').then(({ Search }) => Search.open())
            .then((search) => search.query(${JSON.stringify(q)}, { page: 2, perPage: 10 }))`,
          ),
        );
        expect(total, q).toBe(meta.total);
        expect(own, q).toEqual(items.map(({ views: _, ...others }) => others));
        if (meta.total > 0) some += 1;
      }
      oracle.close();
      expect(some).toBeGreaterThan(queries.length / 2);
    } finally {
      await browser.close();
      await host.end();
    }
  },
);
