/**
 * An article stays in its box on the page: checked by geometry in Chromium. With the CSS of
 * docs/consumers/showing-articles.md, nothing of it reacts outside of its box; without, no media and no styled link
 * does.
 */
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Random } from '../../bench/generate/random.ts';
import { sanitise } from '../../build/html/sanitise.ts';
import { read } from '../docs/documents.ts';
import { HAS_BROWSER, startBrowser } from '../service/browser.ts';
import { ATTACKS, randomAttack } from './box-attacks.ts';
import { cases } from '../random-cases.ts';
import { lacks } from '../lacks.ts';

const SEED = Number(process.env['OFFPRINT_TEST_SEED'] ?? 1);
const RUNS = cases(8);

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

/** The CSS that the docs recommend. */
function recommendedCss(): string {
  const [, css = ''] = /```css\n([^`]*)```/.exec(read('docs/consumers/showing-articles.md')) ?? [];
  return css.replaceAll('.article', '#article');
}

const NAV = `<nav>${'<a href="#nav">Page</a> <br>'.repeat(40)}</nav>`;
const PAGE = `<!DOCTYPE html><meta charset="utf-8"><style>body { margin: 0; font: 16px sans-serif } nav { min-width: 0 }</style><style id="layout"></style>
  <body><main>${NAV}<div id="article"></div>${NAV}</main>`;

/** The layout of the page around an article. */
interface Setting {
  readonly css: string;
  readonly direction: string;
}

interface Hits {
  readonly media: string[];
  readonly links: string[];
  readonly any: string[];
}

/** Parts of the article that react outside of its box, in each setting. */
function hits(page: Page, article: string, settings: readonly Setting[]): Promise<Hits[]> {
  return page.evaluate(
    ([html, pages]) =>
      (
        globalThis as unknown as { hitsOutside(html: string, pages: readonly Setting[]): Promise<Hits[]> }
      ).hitsOutside(html, pages),
    [article, settings.map(({ css, direction }) => ({ css, direction }))] as const,
  );
}

describe.skipIf(lacks('Chromium', HAS_BROWSER))('an article stays in its box', { timeout: 600_000 }, () => {
  let page: Page;
  let close: () => Promise<void>;
  beforeAll(async () => {
    const browser = await startBrowser();
    page = await browser.newPage({ viewport: { width: 1600, height: 1600 } });
    await page.addInitScript({ path: fileURLToPath(new URL('outside-the-box.js', import.meta.url)) });
    await page.route('http*://**', (route) => route.abort());
    await page.route('https://reader.example/', (route) =>
      route.fulfill({ contentType: 'text/html', body: PAGE }),
    );
    await page.goto('https://reader.example/');
    close = () => browser.close();
  });
  afterAll(() => close());

  const random = new Random(SEED);
  const articles = new Map(
    [...Object.entries(ATTACKS), ...Array.from({ length: RUNS }, (_, at) => [`random ${at}`, randomAttack(random)] as const)]
      .map(([name, html]) => [name, sanitise(html, 'https://blog.example/a')]), // prettier-ignore
  );
  const promises = [
    { promise: 'without any CSS: no media and no link', more: '', kinds: ['media', 'links'] },
    { promise: 'with the recommended CSS: nothing', more: recommendedCss(), kinds: ['any'] },
  ] as const;
  const cases = promises.flatMap(({ promise, more, kinds }) =>
    Object.entries(LAYOUTS).flatMap(([layout, css]) =>
      DIRECTIONS.map((direction) => ({
        ...{ promise, layout, direction, css: `${css} ${more}`, kinds },
        /** Articles with such parts. */
        left: new Array<unknown>(),
      })),
    ),
  );

  test('the page detects what leaves the box', async () => {
    const grid = { css: LAYOUTS['grid'] ?? '', direction: 'ltr' };
    for (const name of [
      'a link of no-break spaces, right to left',
      'a large image, right to left',
      'a large frame',
    ]) {
      const [found] = await hits(page, ATTACKS[name] ?? '', [grid]);
      expect(found?.links, name).not.toEqual([]);
    }
  });

  describe(`by ${articles.size} articles, seed ${SEED}`, () => {
    beforeAll(async () => {
      for (const [name, article] of articles) {
        for (const [at, found] of (await hits(page, article, cases)).entries()) {
          const { kinds = [], left } = cases[at] ?? {};
          const seen = kinds.flatMap((kind) => found[kind].slice(0, 2).map((what) => `${kind}: ${what}`));
          if (seen.length > 0) left?.push({ name, seen, article: article.slice(0, 1500) });
        }
      }
    });

    test.each(cases)('$layout, $direction, $promise', ({ left }) => {
      expect(left.slice(0, 9), `${left.length} articles`).toEqual([]);
    });
  });

  test('the docs recommend CSS', () => {
    expect(recommendedCss()).toContain('contain: paint');
  });
});
