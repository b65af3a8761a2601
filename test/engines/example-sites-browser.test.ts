/** The pages of the sites of examples/, in a real browser. */
import axe from 'axe-core';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServedFolder, serveFolder } from '../examples/served-folder.ts';
import { sampleBlog } from '../service/blogs.ts';
import { HAS_BROWSER, openSharedPage, type SharedPage, startBrowser } from '../service/browser.ts';
import { inProcessHome } from '../service/in-process-home.ts';
import { apiWith } from './api-of-changes.ts';
import { type ExampleSite, exampleSite } from './example-sites.ts';
import { isTested } from './generators.ts';
import { lacks } from '../lacks.ts';

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1440, height: 900 };
/** Indexes, lists, and articles with code, a wide table, an image, or right-to-left text. */
const PAGES = [
  '/',
  '/2/',
  '/posts/offprint-from-end-to-end/',
  '/posts/kill-minus-nine/',
  '/posts/hot-metal-cold-storage/',
  `/posts/${encodeURIComponent('النشر-من-ملفات-ثابتة')}/`,
  '/topics/',
  '/years/2025/',
  '/authors/haruka/',
];

const SITES = ['eleventy', 'astro'] as const;
const CAN_RUN = HAS_BROWSER && SITES.every(isTested);

describe.skipIf(lacks('Chromium', HAS_BROWSER) || !CAN_RUN).each(SITES)('the pages of %s', (generator) => {
  let browser: Browser;
  let shared: SharedPage;
  let site: ExampleSite;
  let served: ServedFolder;

  beforeAll(async () => {
    const service = await inProcessHome.serve(await sampleBlog());
    [browser, site] = await Promise.all([startBrowser(), exampleSite(generator)]);
    const further = { updated_at: '2026-07-01T00:00:00Z', former_slugs: ['kill-9'] };
    await site.build(await apiWith(service.url, { 'kill-minus-nine': further }, afterAll), '');
    await service.close();
    served = await serveFolder(site.output);
    shared = await openSharedPage(browser);
  });
  afterAll(async () => {
    served?.close();
    await browser?.close();
    site?.remove();
  });

  it.each([
    ['a phone', 'light', PHONE],
    ['a phone', 'dark', PHONE],
    ['a desktop', 'light', DESKTOP],
    ['a desktop', 'dark', DESKTOP],
  ] as const)('have no error on %s, %s', async (_, colorScheme, viewport) => {
    const page = await shared.renew(served.url, { colorScheme, viewport });
    const faults: string[] = [];
    for (const address of PAGES) {
      const reply = await page.goto(served.url + address);
      expect([address, reply?.status()]).toEqual([address, 200]);
      const isWide = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate<axe.AxeResults>('axe.run()');
      for (const { id, nodes } of violations)
        for (const { html } of nodes) faults.push(`${address}: ${id}: ${html.slice(0, 200)}`);
      if (isWide) faults.push(`${address} is wider than the window`);
    }
    expect(faults).toEqual([]);
  });

  it('leads from a former address to the article', async () => {
    const page = await shared.renew(served.url);
    await page.goto(`${served.url}/posts/kill-9/`);
    await page.waitForURL('**/posts/kill-minus-nine/');
    expect(await page.getByText('updated on 1 July 2026').count()).toBe(1);
    await page.getByRole('navigation', { name: 'Articles' }).getByRole('link').last().click();
    await page.waitForURL((url) => !url.pathname.includes('kill'));
  });
});
