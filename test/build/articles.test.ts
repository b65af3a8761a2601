/**
 * Articles and what is served of them (articles.txt). Images and players that a script of the blog would load are as the
 * libraries document their HTML.
 */
import { describe, expect, test, vi } from 'vitest';
import sanitizeHtml from 'sanitize-html';
import { Random } from '../../bench/generate/random.ts';
import { NO_ADDITIONS } from '../../build/html/policy.ts';
import { sanitiser } from '../../build/html/sanitise.ts';
import { withBase } from '../../common/content/html-tree.ts';
import { parseSrcset } from '../../common/content/srcset.ts';
import { cases, SEED } from '../random-cases.ts';
import { textCases } from '../text-cases.ts';

const BASE = 'https://blog.example/posts/an-article';
const GIF = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';
const SVG =
  "data:image/svg+xml,%3Csvg%20xmlns='http://www.w3.org/2000/svg'%20viewBox='0%200%20600%20400'%3E%3C/svg%3E";
const REAL = 'https://blog.example/real.jpg';
const shown = `<img src="${REAL}" />`;

const sanitise = sanitiser(NO_ADDITIONS);

const sections = textCases(new URL('articles.txt', import.meta.url));
/** Cases with the pictures in place of their names. */
const casesOf = (heading: string) =>
  (sections.get(heading) ?? []).map((fields) =>
    fields.map((field) => field.replaceAll('GIF', GIF).replaceAll('SVG', SVG)),
  );

test('the file has all sections', () => {
  expect([...sections.values()].map(({ length }) => length > 8)).toEqual(Array(6).fill(true));
});

/** The output without attributes that do not matter here. */
function result(html: string): string {
  return sanitise(html, BASE)
    .html.replace(/<img[^>]*? (src="[^"]*")[^>]*>/g, '<img $1 />')
    .trim();
}

test.each(casesOf('an image that a script would load is the real one'))('%s', (_, html = '') => {
  const found = result(html).replace(/<\/?(?:a|span)>|\s+(?=<)/g, '');
  expect(found).toBe(shown);
  expect(sanitise(html, BASE).removals).toEqual({});
  expect(result(result(html))).toBe(result(html));
});

/** What each frame gets. */
const OF_FRAMES = / sandbox="[^"]*" loading="lazy" referrerpolicy="[^"]*"/g;

test.each([
  ...casesOf('a player that a script would draw is the player'),
  ...casesOf('what cannot be shown is counted'),
  ...casesOf('other articles'),
])('%s', (input = '', output = '', ...rest) => {
  const { html, removals } = sanitise(input, BASE);
  expect(html.replaceAll(OF_FRAMES, '')).toBe(output);
  for (const counted of rest) expect(removals).toEqual(JSON.parse(counted));
});

describe('an image that is shown without a script stays', () => {
  test.each(casesOf('an image that is shown without a script stays'))('%s', (_, html = '') => {
    expect(result(html)).toBe(shown);
    expect(sanitise(html, BASE).removals).toEqual({});
  });

  test('one without another address, and those before and after noscript with another image', () => {
    expect(result(`<img src="${GIF}">`)).toBe(`<img src="${GIF}" />`);
    const other = '<noscript><img src="/b.jpg"></noscript>';
    expect(result(`<img src="/real.jpg">${other}<img src="/c.jpg">`)).toBe(
      `${shown}<img src="https://blog.example/b.jpg" /><img src="https://blog.example/c.jpg" />`,
    );
    expect(result(`${other}text<img data-src="/real.jpg">`)).toBe(
      `<img src="https://blog.example/b.jpg" />text${shown}`,
    );
  });

  test('a counting pixel in noscript is not shown, and takes no place', () => {
    const pixel =
      '<noscript><p><img src="https://m.example/matomo.php?idsite=1&amp;rec=1" style="border:0" alt=""></p></noscript>';
    expect(result(`<img class="lazyload" src="/l.gif" data-src="/real.jpg">${pixel}`)).not.toContain(
      'm.example',
    );
    expect(result(`<img class="lazyload" src="/l.gif" data-src="/real.jpg">${pixel}`)).toContain('/real.jpg');
    expect(result(`<img src="/keep.jpg" alt="keep">${pixel}`)).not.toContain('m.example');
  });

  test('an image of its own text is no placeholder for another', () => {
    const chart = `<img src="${GIF}" alt="my chart" width="600" height="400">`;
    const both = result(`${chart}<noscript><img src="/b.jpg" alt="other"></noscript>`);
    expect(both).toContain(GIF);
    expect(both).toContain('/b.jpg');
  });

  test('a link around a placeholder stays, and other content of noscript is shown', () => {
    expect(result(`<a href="/"><img src="${GIF}"></a><noscript><img src="/real.jpg"></noscript>`)).toBe(
      `<a href="https://blog.example/">${shown}</a>`,
    );
    const second = '<img src="https://blog.example/b.jpg" />';
    for (const placeholder of [`<img src="${GIF}" data-src="/real.jpg">`, '<img src="/real.jpg">'])
      expect(result(`${placeholder}<noscript><img src="/real.jpg"><img src="/b.jpg"></noscript>`)).toBe(
        shown + second,
      );
    expect(
      result(
        '<img class="lazy"><noscript><img class="lazy" src="/real.jpg"></noscript><noscript><img src="/b.jpg"></noscript>',
      ),
    ).toBe(shown + second);
  });

  test('each of a row once, wherever noscript is', () => {
    const names = ['a.jpg', 'b.jpg', 'c.jpg'];
    const real = (name: string) => `<img src="https://blog.example/${name}" />`;
    const lazy = (name: string) => `<img src="${GIF}" data-src="/${name}">`;
    const fallback = (name: string) => `<noscript><img src="/${name}"></noscript>`;
    for (const row of [
      names.map((name) => lazy(name) + fallback(name)),
      names.map((name) => fallback(name) + lazy(name)),
      names.map((name) => (name === 'b.jpg' ? lazy(name) : fallback(name) + lazy(name))),
      names.map((name) => (name === 'b.jpg' ? fallback(name) : lazy(name) + fallback(name))),
    ])
      expect(result(row.join('\n')).replaceAll('\n', '')).toBe(names.map(real).join(''));
  });
});

test('an address for a script passes the same rules as any other', () => {
  for (const address of [
    'javascript:alert(1)',
    'ftp://a.example/b.jpg',
    'data:text/html,<script>.x</script>',
    'vbscript:a.b',
  ])
    expect(sanitise(`<img data-src="${address}"><img srcset="${address} 2x">`, BASE).html).toBe(
      '<img /><img />',
    );
  expect(sanitise('<iframe data-src="https://evil.example/a"></iframe>', BASE).removals).toEqual({
    'frame evil.example': 1,
  });
  expect(
    sanitise('<noscript><p title="</noscript><img src=/x onerror=alert(1)>">a</p></noscript>', BASE).html,
  ).toBe('<p title="&lt;/noscript&gt;&lt;img src=/x onerror=alert(1)&gt;">a</p>');
});

test.each([
  ['noscript', '<noscript>x</noscript>'],
  ['placeholders', '<img class="lazy"><noscript><img src="/a.jpg"></noscript>'],
  ['duplicates', '<noscript><img src="/a.jpg"></noscript> '],
  ['custom elements', '<a-b></a-b> '],
  ['candidates', '<img srcset="', ', a.jpg 1w'],
  ['commas', '<img srcset="a', ','],
  ['parentheses', '<img srcset="a.jpg ', '(('],
  ['backgrounds', '<p style="', 'background:url('],
])('a megabyte of %s takes seconds', (_, begin, repeated = begin) => {
  const once = begin === repeated ? '' : begin;
  const count = Math.min(40_000, Math.floor(1_000_000 / repeated.length));
  expect(() => sanitise(`${once}${repeated.repeat(count)}`, BASE)).not.toThrow();
});

test(`a srcset is parsed as by the sanitiser's own parser, seed ${SEED}`, () => {
  const log = vi.spyOn(console, 'log').mockReturnValue(); // Theirs prints what is wrong.
  const random = new Random(SEED);
  const parts = [
    ',',
    ' ',
    '\n',
    '(',
    ')',
    '/a',
    'b.jpg',
    '1x',
    '2.5x',
    '300w',
    '0w',
    '.5x',
    '1e2x',
    '9',
    'w',
    'x;base64,R0',
    '\u00a0',
  ];
  for (let done = 0; done < cases(2_000); done += 1) {
    const text = Array.from({ length: 1 + random.below(8) }, () => parts[random.below(parts.length)]).join(
      '',
    );
    const parsed = sanitizeHtml(`<img srcset="${text}">`, {
      allowedTags: ['img'],
      allowedAttributes: { img: ['srcset'] },
      allowedSchemes: ['data'],
    });
    const [, theirs = ''] = /srcset="([^"]*)"/.exec(parsed) ?? [];
    const ours = parseSrcset(text).map(({ address, descriptor, size }) =>
      descriptor === '' ? address : `${address} ${size}${descriptor.slice(-1)}`,
    );
    expect(ours.join(', '), JSON.stringify(text)).toBe(theirs);
  }
  log.mockRestore();
});

test('addresses for scripts become absolute with those of the whole text', () => {
  expect(
    withBase(
      '<img data-src="b.jpg" data-lazy="true" data-srcset="c.jpg 2x, d_{w}.jpg 3x, /e,f.jpg"><img data-original="a_{w}.jpg">',
      'https://a.example/b/',
    ),
  ).toBe(
    '<img data-src="https://a.example/b/b.jpg" data-lazy="true" data-srcset="https://a.example/b/c.jpg 2x, https://a.example/e,f.jpg "><img data-original="a_{w}.jpg">',
  );
});
