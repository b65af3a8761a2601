/** The script of examples/search/ in a real browser, over the files of a published blog: what SQL finds. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { probes } from '../../bench/generate/probes.ts';
import { publish, shortBlog } from '../build/publishing.ts';
import { folderUntil } from '../build/temporary-folder.ts';
import { paged, summary } from '../conformance/shapes.ts';
import { serveFolder } from '../export/static-host.ts';
import { openOracle } from '../oracle/oracle.ts';
import { HAS_BROWSER, startBrowser } from '../service/browser.ts';
import { z } from 'zod';

const POSTS = 1100;
const SCRIPT = fileURLToPath(new URL('../../examples/search/', import.meta.url));
const folder = folderUntil(afterAll);

test.skipIf(!HAS_BROWSER)('a browser finds in the files what SQL finds', async () => {
  const [db, out] = [join(folder, 'blog.db'), join(folder, 'out')];
  shortBlog(db, POSTS, 5);
  await publish(db, out);
  const site = join(folder, 'public');
  cpSync(SCRIPT, join(site, 'search'), { recursive: true });
  for (const path of ['objects/directory', 'objects/page', 'objects/suffixes', 'snapshot.json'])
    cpSync(join(out, path), join(site, path), { recursive: true });
  const host = await serveFolder(site);
  const browser = await startBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(`${host.url}search/index.html`);
    const oracle = openOracle(db);
    const queries = [
      ...Object.values(probes(POSTS)).map(({ q }) => q),
      ...['e', 'th', '\u706f', 'a e i o n r s t', 'ea er', 'nowhere-at-all'],
    ];
    let some = 0;
    for (const q of queries) {
      const { items, meta } = paged(summary).parse(oracle.posts({ q, sort: 'new', per_page: 10 }));
      await page.goto(`${host.url}search/index.html?q=${encodeURIComponent(q)}`);
      await page.waitForSelector('output[data-done]');
      const shown = z
        .tuple([z.string().nullable(), z.array(z.string())])
        .parse(
          await page.evaluate(
            `[document.querySelector('output').textContent, Array.from(document.querySelectorAll('li a'), ({ textContent }) => textContent)]`,
          ),
        );
      expect(shown, q).toEqual([String(meta.total), items.map(({ title }) => title)]);
      if (meta.total > 0) some += 1;
    }
    oracle.close();
    expect(some).toBeGreaterThan(queries.length / 2);
  } finally {
    await browser.close();
    await host.end();
  }
});
