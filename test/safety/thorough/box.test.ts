/**
 * With the CSS of docs/consumers/building-sites.md, no part of an article reacts outside its element, in any layout:
 * checked by geometry in Chromium. The CSS is read from the document.
 */
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sanitise } from '../../../build/html/sanitise.ts';
import { read } from '../../docs/documents.ts';
import { HAS_BROWSER, startBrowser } from '../../service/browser.ts';
import { lacks } from '../../lacks.ts';
import { ATTACKS } from '../box-attacks.ts';

/** Pages with navigation on both sides of the article. */
const LAYOUTS: Readonly<Record<string, string>> = {
  flex: 'main { display: flex } nav { flex: 1 } #article { flex: 0 0 600px }',
  'flex that grows': 'main { display: flex } nav { flex: 0 0 300px } #article { flex: 1 }',
  'flex in reverse':
    'main { display: flex; flex-direction: row-reverse } nav { flex: 1 } #article { flex: 0 1 600px }',
  grid: 'main { display: grid; grid-template-columns: 1fr 600px 1fr }',
  'flexible grid': 'main { display: grid; grid-template-columns: 300px 1fr 300px }',
  float: 'nav { float: inline-start; width: 30% } #article { float: inline-start; width: 600px }',
  'float to the other side':
    'nav { float: inline-end; width: 30% } #article { float: inline-end; width: 600px }',
  block: '#article { width: 600px; margin: auto }',
};

const CSS = (/```css\n([^`]*)```/.exec(read('docs/consumers/building-sites.md'))?.[1] ?? '').replaceAll(
  '.article',
  '#article',
);

const NAV = `<nav>${'<a href="#nav">Page</a> <br>'.repeat(40)}</nav>`;
const PAGE = `<!DOCTYPE html><meta charset="utf-8"><style>body { margin: 0; font: 16px sans-serif }</style><style id="layout"></style>
  <body><main>${NAV}<div id="article"></div>${NAV}</main>`;

interface Setting {
  readonly name: string;
  readonly css: string;
  readonly direction: 'ltr' | 'rtl';
}

const SETTINGS: readonly Setting[] = Object.entries(LAYOUTS).flatMap(([name, css]) =>
  (['ltr', 'rtl'] as const).map((direction) => ({ name: `${name}, ${direction}`, css, direction })),
);

/** Parts of an article that react outside its element, in each setting. */
function hitsOutside(page: Page, article: string, settings: readonly Setting[]): Promise<string[][]> {
  return page.evaluate(
    ([html, pages]) =>
      (
        globalThis as unknown as {
          hitsOutside(html: string, pages: readonly Setting[]): Promise<string[][]>;
        }
      ).hitsOutside(html, pages),
    [article, settings] as const,
  );
}

const sanitised = (html: string) => sanitise(html, 'https://blog.example/a');

describe.skipIf(lacks('Chromium', HAS_BROWSER))(
  'an article stays in its element',
  { timeout: 600_000 },
  () => {
    let page: Page;
    let close: () => Promise<void>;
    beforeAll(async () => {
      const browser = await startBrowser();
      page = await browser.newPage({ viewport: { width: 1600, height: 1600 } });
      await page.addInitScript({ path: fileURLToPath(new URL('../outside-the-box.js', import.meta.url)) });
      await page.route('http*://**', (route) => route.abort());
      await page.route('https://reader.example/', (route) =>
        route.fulfill({ contentType: 'text/html', body: PAGE }),
      );
      await page.goto('https://reader.example/');
      close = () => browser.close();
    });
    afterAll(() => close());

    test('without the CSS, these articles leave it', async () => {
      const left: string[] = [];
      for (const [name, html] of Object.entries(ATTACKS)) {
        const hits = await hitsOutside(page, sanitised(html), SETTINGS);
        if (hits.some((found) => found.length > 0)) left.push(name);
      }
      expect(left).toEqual(
        expect.arrayContaining([
          'a large image, right to left',
          'a link of no-break spaces',
          'a table with many columns',
          'list markers',
          'tabs in pre',
        ]),
      );
      expect(left.length).toBeGreaterThan(Object.keys(ATTACKS).length / 2);
    });

    test.each(Object.entries(ATTACKS))('with the CSS: %s', async (_, html) => {
      const settings = SETTINGS.map((setting) => ({ ...setting, css: `${setting.css} ${CSS}` }));
      const hits = await hitsOutside(page, sanitised(html), settings);
      const left = hits.flatMap((found, at) => (found.length > 0 ? [{ in: SETTINGS[at]?.name, found }] : []));
      expect(left).toEqual([]);
    });
  },
);

test('the sanitiser keeps no style that positions or sizes, however it is written', () => {
  const properties = 'position inset top left right bottom float clear display visibility z-index width height min-width max-width min-height max-height inline-size block-size margin margin-left padding border border-width outline box-shadow font font-size line-height letter-spacing word-spacing text-indent text-shadow text-wrap white-space-collapse transform translate scale rotate zoom columns column-width flex grid order overflow contain writing-mode direction unicode-bidi content list-style background background-image filter clip-path mask animation transition all --x'.split(' '); // prettier-ignore
  const spellings = properties.flatMap((name) => [
    `${name}:9px`,
    `${name.toUpperCase()} : 9px !important`,
    `${name}/**/:9px`,
    `\\${name.codePointAt(0)?.toString(16)} ${name.slice(1)}:9px`,
    `color:red;;${name}:9px;x`,
    `color:red}*{${name}:9px`,
    `-webkit-${name}:9px`,
  ]);
  const values = ['nowrap', 'pre', 'NoWrap', 'pre !important', 'nowrap collapse', 'break-spaces nowrap'].map(
    (value) => `white-space:${value}`,
  );
  const articles = [
    ...[...spellings, ...values].flatMap((style) =>
      ['p', 'img', 'table', 'col', 'td', 'iframe'].map(
        (tag) => `<${tag} src="https://www.youtube.com/embed/x" style="${style}">`,
      ),
    ),
    ...Object.values(ATTACKS),
  ];
  const styles = articles
    .flatMap((article) => [...sanitised(article).matchAll(/ style="([^"]*)"/g)])
    .flatMap(([, style = '']) => style.split(';'));
  const text = /^(?:color:red|text-align:\w+|white-space:(?:normal|pre-wrap|pre-line))$/;
  expect(styles.filter((style) => !text.test(style))).toEqual([]);
  expect(styles).toContain('color:red');
});

test.each(['width', 'height'])('the attribute %s has up to four digits, or up to 100 per cent', (name) => {
  const kept = (value: string) => sanitised(`<img src="/a" ${name}="${value}">`).includes(` ${name}=`);
  expect(['1', '9999', '640px', '5%', '100%'].filter((value) => !kept(value))).toEqual([]);
  expect(['10000', '101%', '900%', '1e9', '-1', '99em', '50vw', 'calc(9px)', '١٢'].filter(kept)).toEqual([]);
});
