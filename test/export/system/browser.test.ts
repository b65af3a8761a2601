/**
 * The exported files in a real browser, under a path of a site: read by a client, and their documentation page.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFindings } from '../../service/accessibility.ts';
import { sampleBlog } from '../../service/blogs.ts';
import { HAS_BROWSER, openPage, startBrowser } from '../../service/browser.ts';
import type { Service } from '../../service/home.ts';
import { inProcessHome } from '../../service/in-process-home.ts';
import { answerOf } from '../../service/in-process.ts';
import { expectWorkingSnippets, recordFaults } from '../../site/snippets.ts';
import { HAS_NGINX, serveByNginx, serveFolder, type StaticHost } from '../static-host.ts';
import { lacks } from '../../lacks.ts';

describe.skipIf(lacks('Chromium', HAS_BROWSER))('the tree of the sample blog in a browser', () => {
  let browser: Browser;
  let service: Service;
  let folder: string;
  let host: StaticHost;
  let page: Page;
  const faults: string[] = [];

  beforeAll(async () => {
    browser = await startBrowser();
    service = await inProcessHome.serve(await sampleBlog(), {
      limits: { day: { address: 1_000_000 }, minute: 1_000_000 },
      site: { url: 'https://press.example' },
    });
    folder = mkdtempSync(join(tmpdir(), 'offprint-export-'));
    await answerOf(['export', folder, '--out', join(service.folder, 'out')]);
    host = await (HAS_NGINX ? serveByNginx : serveFolder)(folder);
    page = await openPage(browser);
    recordFaults(page, host.url, faults);
    await page.goto(`${host.url}#tag/articles`).then(() => page.waitForSelector('.scalar-api-reference'));
  });
  afterAll(async () => {
    await browser?.close();
    await host?.end();
    await service?.close();
    rmSync(folder, { recursive: true });
  });

  it('has a page that names its address, and reads files from it', async () => {
    expect(await page.textContent('.address code')).toBe(`${host.url}v1`);
    const heading = page.getByRole('heading', { name: 'List articles, newest first' });
    const section = page.locator('section').filter({ has: heading }).last();
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 500);
        return section.getByRole('button', { name: 'Test Request' }).count();
      })
      .toBe(1);
    await section.getByRole('button', { name: 'Test Request' }).click();
    const client = page.getByRole('dialog');
    await client.locator('[data-addressbar-action=send]').filter({ visible: true }).first().click();
    await client.getByText('200 OK').waitFor();
    expect(faults).toEqual([]);
  });

  it.each([
    ['light', 1440],
    ['dark', 1440],
    ['light', 390],
    ['dark', 390],
  ] as const)('has an accessible page that fits: %s, %d px', async (colorScheme, width) => {
    const plain = await browser.newPage({ colorScheme, viewport: { width, height: 900 } });
    await plain.goto(host.url);
    expect(await accessibilityFindings(plain)).toEqual([]);
    expect(await plain.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await plain.close();
  });

  it('shows working code', async () => {
    await expectWorkingSnippets(page, 'https://press.example/posts/');
    const all = await page.locator('#paging .aside code').textContent();
    const posts = await page.evaluate(
      `(async () => { ${all}; const slugs = []; for await (const { slug } of allPosts()) slugs.push(slug); return slugs; })()`,
    );
    expect(new Set(posts as string[]).size).toBe(39);
    const search = (await page.locator('#search .aside code').textContent())?.replace('harbour', 'snapshot');
    const found = await page.evaluate(`(async () => { ${search}; return [total, items[0].slug]; })()`);
    expect(found).toEqual([expect.any(Number), expect.any(String)]);
  });
});
