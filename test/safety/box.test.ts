/**
 * An article stays in its box on the page that shows it: by geometry, in Chromium. Two promises are held:
 * with the CSS of docs/sanitising.md nothing of an article is hit outside its box, and without it no media and no
 * link with a style is.
 */
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Random } from '../../bench/generate/random.ts';
import { sanitise } from '../../build/html/sanitise.ts';
import { read } from '../docs/documents.ts';
import { HAS_BROWSER, startBrowser } from '../service/browser.ts';
import { ATTACKS, randomAttack } from './box-attacks.ts';

const SEED = Number(process.env['OFFPRINT_TEST_SEED'] ?? 1);
const RUNS = Number(process.env['OFFPRINT_BOX_RUNS'] ?? 8);

/** Pages with navigation on both sides of the article, which is 600 pixels wide. */
const LAYOUTS: Readonly<Record<string, string>> = {
  flex: 'body > main { display: flex } nav { flex: 1 } #article { flex: 0 0 600px; min-width: 0 }',
  'flex that grows':
    'body > main { display: flex } nav { flex: 0 0 300px } #article { flex: 1; min-width: 0 }',
  grid: 'body > main { display: grid; grid-template-columns: 1fr 600px 1fr }',
  'flexible grid': 'body > main { display: grid; grid-template-columns: 300px minmax(0, 1fr) 300px }',
  float: 'nav { float: inline-start; width: 30% } #article { float: inline-start; width: 600px }',
  block: '#article { width: 600px; margin: auto }',
};
const DIRECTIONS = ['ltr', 'rtl'] as const;

/** The CSS that the docs give to those who show articles. */
function recommendedCss(): string {
  const [, css = ''] = /```css\n([^`]*)```/.exec(read('docs/sanitising.md')) ?? [];
  return css.replaceAll('.article', '#article');
}

function pageWith(layout: string, direction: string, css: string): string {
  const nav = `<nav>${'<a href="#nav">Page</a> <br>'.repeat(40)}</nav>`;
  return `<!DOCTYPE html><html dir="${direction}"><meta charset="utf-8"><style>body { margin: 0; font: 16px sans-serif } nav { min-width: 0 } ${layout} ${css}</style>
    <body><main>${nav}<div id="article"></div>${nav}</main>`;
}

interface Hits {
  readonly media: string[];
  readonly links: string[];
  readonly any: string[];
}

/** What of the article is hit outside of its box. */
function hits(page: Page, article: string): Promise<Hits> {
  return page.evaluate(
    (html) => (globalThis as unknown as { hitsOutside(html: string): Promise<Hits> }).hitsOutside(html),
    article,
  );
}

/** A document of its own, in which the script above is there. */
async function open(page: Page, html: string): Promise<void> {
  await page.route('https://reader.example/', (route) =>
    route.fulfill({ contentType: 'text/html', body: html }),
  );
  await page.goto('https://reader.example/');
  await page.unroute('https://reader.example/');
}

describe.skipIf(!HAS_BROWSER)('an article stays in its box', { timeout: 600_000 }, () => {
  let page: Page;
  let close: () => Promise<void>;
  beforeAll(async () => {
    const browser = await startBrowser();
    page = await browser.newPage({ viewport: { width: 1600, height: 1600 } });
    await page.addInitScript({ path: fileURLToPath(new URL('outside-the-box.js', import.meta.url)) });
    await page.route('http*://**', (route) => route.abort());
    close = () => browser.close();
  });
  afterAll(() => close());

  const random = new Random(SEED);
  const articles = new Map(
    [...Object.entries(ATTACKS), ...Array.from({ length: RUNS }, (_, at) => [`random ${at}`, randomAttack(random)] as const)]
      .map(([name, html]) => [name, sanitise(html, 'https://blog.example/a')]), // prettier-ignore
  );
  const cases = Object.keys(LAYOUTS).flatMap((layout) =>
    DIRECTIONS.map((direction) => ({ layout, direction })),
  );

  test('the page notices what leaves the box', async () => {
    await open(page, pageWith(LAYOUTS['grid'] ?? '', 'ltr', ''));
    for (const name of [
      'a link of no-break spaces, right to left',
      'a large image, right to left',
      'a large frame',
    ])
      expect((await hits(page, ATTACKS[name] ?? '')).links, name).not.toEqual([]);
  });

  test.each(cases)(
    '$layout, $direction, without any CSS: no media and no link, seed ' + SEED,
    async ({ layout, direction }) => {
      await open(page, pageWith(LAYOUTS[layout] ?? '', direction, ''));
      const left: unknown[] = [];
      for (const [name, article] of articles) {
        const { media, links } = await hits(page, article);
        if (media.length + links.length > 0)
          left.push({
            name,
            media: media.slice(0, 2),
            links: links.slice(0, 2),
            article: article.slice(0, 1500),
          });
      }
      expect(left.slice(0, 9), `${left.length} articles`).toEqual([]);
    },
  );

  test.each(cases)(
    '$layout, $direction, with the recommended CSS: nothing, seed ' + SEED,
    async ({ layout, direction }) => {
      expect(recommendedCss()).toContain('contain: paint');
      await open(page, pageWith(LAYOUTS[layout] ?? '', direction, recommendedCss()));
      const left: unknown[] = [];
      for (const [name, article] of articles) {
        const { any } = await hits(page, article);
        if (any.length > 0) left.push({ name, any: any.slice(0, 2), article: article.slice(0, 1500) });
      }
      expect(left.slice(0, 9), `${left.length} articles`).toEqual([]);
    },
  );
});
