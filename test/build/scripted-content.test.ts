/** Images and players that a script of the blog would load: as the libraries document their HTML. */
import { describe, expect, test, vi } from 'vitest';
import sanitizeHtml from 'sanitize-html';
import { Random } from '../../bench/generate/random.ts';
import { HTML_POLICY, NO_ADDITIONS } from '../../build/html/policy.ts';
import { sanitiser } from '../../build/html/sanitise.ts';
import { withBase } from '../../common/content/html-tree.ts';
import { parseSrcset } from '../../common/content/srcset.ts';
import { cases, SEED } from '../random-cases.ts';

const BASE = 'https://blog.example/posts/an-article';
const GIF = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';
const SVG =
  "data:image/svg+xml,%3Csvg%20xmlns='http://www.w3.org/2000/svg'%20viewBox='0%200%20600%20400'%3E%3C/svg%3E";
const REAL = 'https://blog.example/real.jpg';
const shown = `<img src="${REAL}" />`;

const sanitise = sanitiser(NO_ADDITIONS);

function player(src: string, others = ''): string {
  const { sandbox, loading, referrerpolicy } = HTML_POLICY.frames;
  return `<iframe${others} src="${src}" sandbox="${sandbox}" loading="${loading}" referrerpolicy="${referrerpolicy}"></iframe>`;
}

/** The output without attributes that do not matter here. */
function result(html: string): string {
  return sanitise(html, BASE)
    .html.replace(/<img[^>]*? (src="[^"]*")[^>]*>/g, '<img $1 />')
    .trim();
}

describe('an image that a script would load is the real one', () => {
  test.each([
    ['lazysizes', '<img data-src="/real.jpg" class="lazyload" />'],
    ['lazysizes with a preview', '<img src="/lqip.jpg" data-src="/real.jpg" class="lazyload blur-up" />'],
    [
      'lazysizes with sizes',
      `<img data-sizes="auto" src="${GIF}" data-srcset="/small.jpg 300w, /real.jpg 900w, /mid.jpg 600w" class="lazyload" />`,
    ],
    ['lozad', '<img class="lozad" data-src="/real.jpg">'],
    [
      'vanilla-lazyload',
      '<img alt="x" class="lazy" src="/thumb.jpg" data-src="/real.jpg" data-srcset="/real.jpg 400w, /x.jpg 800w">',
    ],
    [
      'jQuery Lazy Load',
      '<img class="lazy" src="/img/grey.gif" data-original="/real.jpg" width="640" height="480">',
    ],
    [
      'WP Rocket',
      `<img width="600" height="400" src="${SVG}" alt="" data-lazy-srcset="/real.jpg 600w, /s.jpg 300w" data-lazy-sizes="100vw" data-lazy-src="/real.jpg" /><noscript><img width="600" height="400" src="/real.jpg" alt="" srcset="/real.jpg 600w, /s.jpg 300w" /></noscript>`,
    ],
    [
      'Jetpack',
      `<img src="/real.jpg" class="wp-image-1 jetpack-lazy-image" data-lazy-srcset="/real.jpg 600w" data-lazy-src="/real.jpg?is-pending-load=1" srcset="${GIF}"><noscript><img data-lazy-fallback="1" src="/real.jpg" class="wp-image-1" /></noscript>`,
    ],
    [
      'a3 Lazy Load',
      '<img class="lazy lazy-hidden" src="//blog.example/wp-content/plugins/a3-lazy-load/assets/images/lazy_placeholder.gif" data-lazy-type="image" data-src="/real.jpg" alt=""><noscript><img src="/real.jpg" alt=""></noscript>',
    ],
    ['LiteSpeed', `<img data-lazyloaded="1" src="${GIF}" data-src="/real.jpg" alt="">`],
    [
      'NitroPack',
      `<img nitro-lazy-src="/real.jpg" class="nitro-lazy" decoding="async" nitro-lazy-empty id="x" src="${SVG}">`,
    ],
    [
      'Cloudflare Mirage',
      '<img data-cfsrc="/real.jpg" style="display:none;visibility:hidden;"><noscript><img src="/real.jpg"></noscript>',
    ],
    [
      'a placeholder by its name',
      '<img src="/loading.svg" data-src="/real.jpg"><noscript><img src="/real.jpg"></noscript>',
    ],
    [
      'another size in noscript',
      `<img src="${GIF}" data-src="/real-300.jpg">\n<noscript><img src="/real.jpg"></noscript>`,
    ],
    [
      'a placeholder inside a link',
      `<a><img class="lazy" data-src="/real.jpg"></a> <noscript><a><img src="/real.jpg"></a></noscript>`,
    ],
    [
      'Next.js',
      `<span><img src="${GIF}" decoding="async" data-nimg="fill"/><noscript><img srcset="/real.jpg 640w" src="/real.jpg" decoding="async" data-nimg="fill" style="position:absolute;top:0;left:0"/></noscript></span>`,
    ],
    ['noscript alone', '<noscript><img src="/real.jpg"></noscript>'],
    ['srcset alone', '<img srcset="/small.jpg 400w, /real.jpg 800w" sizes="100vw">'],
    ['srcset behind a placeholder', `<img src="${GIF}" srcset="/real.jpg 400w">`],
    [
      'picture with srcset alone',
      '<picture><source type="image/avif" srcset="/a.avif"><source srcset="/s.jpg 1x, /real.jpg 2x"><img alt=""></picture>',
    ],
    [
      'picture with lazysizes',
      `<picture><source data-srcset="/real.jpg 800w"><img src="${GIF}" class="lazyload"></picture>`,
    ],
    [
      'AMP',
      '<amp-img alt="x" src="/real.jpg" width="900" height="675" layout="responsive"><noscript><img src="/real.jpg"></noscript><amp-img placeholder src="/s.jpg"></amp-img></amp-img>',
    ],
    ['AMP with srcset', '<amp-img srcset="/real.jpg 640w, /s.jpg 320w" width="1" height="1"></amp-img>'],
    [
      'a cover that does not scroll',
      '<div role="img" class="wp-block-cover__image-background has-parallax" style="background-position:50% 50%;background-image:url(/real.jpg)"></div>',
    ],
  ])('%s', (_, html) => {
    const found = result(html).replace(/<\/?(?:a|span)>|\s+(?=<)/g, '');
    expect(found).toBe(shown);
    expect(sanitise(html, BASE).removals).toEqual({});
    expect(result(result(html))).toBe(result(html));
  });
});

describe('an image that is shown without a script stays', () => {
  test.each([
    ['the large one of a lightbox', '<img src="/real.jpg" data-src="/large.jpg">'],
    [
      'the original of a lightbox',
      '<img src="/real.jpg" data-original="/large.jpg" data-zoom-src="/zoom.jpg">',
    ],
    [
      'lazy loading by browsers',
      '<img src="/real.jpg" srcset="/large.jpg 900w" loading="lazy" class="lazy">',
    ],
    ['sizes', '<img src="/real.jpg" srcset="/real.jpg 300w, /large.jpg 900w" sizes="300px">'],
    [
      'a picture with formats',
      '<picture><source srcset="/a.avif" type="image/avif"><img src="/real.jpg"></picture>',
    ],
    ['attributes without an address', '<img src="/real.jpg" data-lazy="true" data-src="" class="lazyload">'],
    ['a template that a script fills', '<img src="/real.jpg" data-src="/a_{width}x.jpg" class="lazyload">'],
    [
      'the same address with a parameter',
      '<img src="/real.jpg" data-src="/real.jpg?w=900" class="lazyload">',
    ],
    ['before noscript with the same', '<img src="/real.jpg"><noscript><img src="/real.jpg"></noscript>'],
  ])('%s', (_, html) => {
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

const YOUTUBE = 'https://www.youtube-nocookie.com/embed/ogfYd705cRs';

describe('a player that a script would draw is the player', () => {
  test.each([
    [
      '<lite-youtube videoid="ogfYd705cRs" style="background-image: url(\'https://i.ytimg.com/vi/ogfYd705cRs/hqdefault.jpg\');"><button type="button" class="lty-playbtn"><span class="lyt-visually-hidden">Play</span></button></lite-youtube>',
      player(YOUTUBE),
    ],
    [
      '<lite-youtube videoid="ogfYd705cRs" playlabel="Keynote" params="start=10"><a class="lite-youtube-fallback" href="https://www.youtube.com/watch?v=ogfYd705cRs">Watch</a></lite-youtube>',
      player(`${YOUTUBE}?start=10`, ' title="Keynote"'),
    ],
    [
      '<lite-youtube videoid="ogfYd705cRs"><p>after, not closed</p>',
      `${player(YOUTUBE)}<p>after, not closed</p>`,
    ],
    ['<lite-vimeo videoid="364402896"></lite-vimeo>', player('https://player.vimeo.com/video/364402896')],
    [
      '<amp-youtube data-videoid="ogfYd705cRs" layout="responsive" width="480" height="270"></amp-youtube>',
      player(YOUTUBE, ' width="480" height="270"'),
    ],
    [
      '<lite-youtube videoid="ogfYd705cRs"></lite-youtube><noscript><iframe src="https://www.youtube.com/embed/ogfYd705cRs"></iframe></noscript>',
      player('https://www.youtube.com/embed/ogfYd705cRs'),
    ],
    [
      `<iframe src="about:blank" data-rocket-lazyload="fitvidscompatible" data-lazy-src="${YOUTUBE}"></iframe><noscript><iframe src="${YOUTUBE}"></iframe></noscript>`,
      player(YOUTUBE),
    ],
    [
      '<video class="lozad" controls><source data-src="/a.mp4" type="video/mp4"></video>',
      '<video controls><source type="video/mp4" src="https://blog.example/a.mp4" /></video>',
    ],
    [
      '<amp-video controls src="/a.mp4"><div fallback><p>No video</p></div></amp-video>',
      '<video controls src="https://blog.example/a.mp4"></video>',
    ],
  ])('%s', (html, expected) => {
    expect(sanitise(html, BASE)).toEqual({ html: expected, removals: {} });
  });
});

describe('what cannot be shown is counted', () => {
  test.each([
    [
      '<my-chart src="/a.json"></my-chart><my-chart></my-chart><my-note>text</my-note>',
      'text',
      { 'custom element my-chart': 2 },
    ],
    ['<amp-carousel><amp-img src="/real.jpg"></amp-img></amp-carousel>', shown, {}],
    [
      '<lite-youtube videoid="../../redirect?q=x"></lite-youtube>',
      '',
      { 'frame www.youtube-nocookie.com': 1 },
    ],
    [
      '<img><img src="file:///C:/a.png" alt="a"><img src="ftp://a.example/a.png"><img data-src="/a_{w}.jpg">',
      '<img /><img alt="a" /><img /><img />',
      { image: 4 },
    ],
    ['<div style="background-image:url(/a.jpg)">text</div>', '<div>text</div>', { 'background image': 1 }],
    [
      '<div style="background:linear-gradient(red,blue)"><i style="background:url(data:image/gif;base64,R0)"></i></div>',
      '<div><i></i></div>',
      {},
    ],
    [
      '<map name="m"><area href="/a"><area href="/b"></map><video controls src="/a.mp4"><track src="/a.vtt"></video>',
      '<video controls src="https://blog.example/a.mp4"></video>',
      { 'image map': 1, 'text track': 1 },
    ],
    ['<noscript>Please enable JavaScript to see the comments.</noscript>', '', { 'noscript text': 1 }],
    [
      '<noscript><pre>code</pre></noscript><noscript><a href="/poll">Take our poll</a></noscript>',
      '<pre>code</pre><a href="https://blog.example/poll">Take our poll</a>',
      {},
    ],
    [
      '<noscript><img height="1" width="1" style="display:none" src="https://t.example/tr?id=1"></noscript><noscript><style>p{}</style></noscript>',
      '',
      {},
    ],
    [
      '<div class="wp-block-accordion"><h3 class="wp-block-accordion-heading"><button class="wp-block-accordion-heading__toggle">Title</button></h3></div>',
      '<div class="wp-block-accordion"><h3 class="wp-block-accordion-heading">Title</h3></div>',
      {},
    ],
  ])('%s', (html, expected, removals) => {
    expect(sanitise(html, BASE)).toEqual({ html: expected, removals });
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
