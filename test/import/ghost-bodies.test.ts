import { describe, expect, it } from 'vitest';
import { cleanHtml } from '../../common/content/ghost-html.ts';
import { renderLexical } from '../../import/ghost/lexical.ts';
import { ghostMarkdown } from '../../import/ghost/markdown.ts';
import { renderMobiledoc } from '../../import/ghost/mobiledoc.ts';
import { readGhostPost } from './ghost-export.ts';

type Node = Readonly<Record<string, unknown>>;

const fail = (what: string): never => {
  throw new Error(`${what} is lost`);
};
const node = (type: string, fields: Node = {}): Node => ({ type, version: 1, ...fields });
const text = (written: string, format = 0): Node =>
  node('extended-text', { text: written, format, detail: 0, mode: 'normal', style: '' });
const parent = (type: string, children: readonly Node[], fields: Node = {}): Node =>
  node(type, { children, direction: 'ltr', indent: 0, format: '', ...fields });
const lexical = (...children: readonly Node[]): string =>
  renderLexical({ root: parent('root', children) }, fail);
const item = (...children: readonly Node[]): Node => parent('listitem', children);

const mobiledoc = (fields: Node): string =>
  renderMobiledoc({ version: '0.3.1', atoms: [], cards: [], markups: [], sections: [], ...fields }, fail);
const card = (name: string, payload: Node): string =>
  mobiledoc({ cards: [[name, payload]], sections: [[10, 0]] });

describe('Lexical', () => {
  it('has text in all formats', () => {
    const bits = [0, 1, 2, 3, 4, 8, 16, 32, 64, 128].map((format) => text(`${format}<`, format));
    expect(lexical(parent('paragraph', bits))).toBe(
      '<p>0&lt;<strong>1&lt;</strong><em>2&lt;</em><strong><em>3&lt;</em></strong><s>4&lt;</s><u>8&lt;</u>' +
        '<code>16&lt;</code><sub>32&lt;</sub><sup>64&lt;</sup><mark>128&lt;</mark></p>',
    );
  });

  it('merges neighbours with the same format', () => {
    expect(lexical(parent('paragraph', [text('a', 1), text('b', 1), text('c', 3)]))).toBe(
      '<p><strong>ab<em>c</em></strong></p>',
    );
  });

  it('has headings with ids, quotes, rules, links and line breaks', () => {
    const link = parent('link', [text('b', 2)], {
      url: 'https://x.example/?a&b',
      rel: 'noreferrer',
      target: null,
    });
    expect(
      lexical(
        parent('extended-heading', [text('Ünï & so')], { tag: 'h2' }),
        parent('heading', [text('Ünï: so!')], { tag: 'h3' }),
        parent('paragraph', []),
        parent('paragraph', [
          text('a'),
          node('linebreak'),
          link,
          parent('autolink', [text('c')], { url: 'c:' }),
        ]),
        parent('extended-quote', [text('q')]),
        parent('aside', [text('a')]),
        node('horizontalrule'),
      ),
    ).toBe(
      [
        '<h2 id="ünï-so">Ünï &amp; so</h2>',
        '<h3 id="ünï-so-1">Ünï: so!</h3>',
        '<p>a<br><a href="https://x.example/?a&amp;b"><em>b</em></a><a href="c:">c</a></p>',
        '<blockquote>q</blockquote>',
        '<blockquote class="kg-blockquote-alt">a</blockquote>',
        '<hr>',
      ].join('\n'),
    );
  });

  it('has nested lists', () => {
    const inner = parent('list', [item(text('1.1')), item(text('1.2'))], {
      listType: 'bullet',
      tag: 'ul',
      start: 1,
    });
    const items = [item(text('1')), item(inner), item(text('2'))];
    expect(lexical(parent('list', items, { listType: 'number', tag: 'ol', start: 3 }))).toBe(
      '<ol start="3"><li>1<ul><li>1.1</li><li>1.2</li></ul></li><li>2</li></ol>',
    );
  });

  it('passes unknown nodes through', () => {
    expect(
      lexical(
        parent('layout', [parent('paragraph', [text('a')])]),
        node('new', { url: 'https://x.example' }),
      ),
    ).toBe('<p>a</p>\n<p><a href="https://x.example">https://x.example</a></p>');
    const lost: string[] = [];
    const root = parent('root', [node('new'), text('loose'), node('signup'), node('')]);
    expect(renderLexical({ root }, (what) => void lost.push(what))).toBe('<p>loose</p>');
    expect(lost).toEqual(['card new']);
    for (const broken of [null, 1, [], {}, { root: null }, { root: { children: [null, 1, []] } }]) {
      expect(renderLexical(broken, fail)).toBe('');
    }
  });
});

const CARDS: readonly (readonly [name: string, card: Node, html: string])[] = [
  [
    'image',
    {
      src: '/a.png',
      alt: 'A "b"',
      caption: 'C <em>d</em>',
      href: 'https://x.example',
      width: 10,
      height: 5,
      title: '',
    },
    '<figure class="kg-card kg-image-card"><a href="https://x.example"><img src="/a.png" alt="A &quot;b&quot;" width="10" height="5"></a><figcaption>C <em>d</em></figcaption></figure>',
  ],
  [
    'gallery',
    { images: [{ src: '/a.png', row: 0 }, { src: '/b.png', alt: 'B', row: 0 }, {}], caption: '' },
    '<figure class="kg-card kg-gallery-card"><img src="/a.png" alt=""><img src="/b.png" alt="B"></figure>',
  ],
  ['codeblock', { code: 'a < b', language: 'js' }, '<pre><code class="language-js">a &lt; b</code></pre>'],
  [
    'code',
    { code: 'a', caption: 'c' },
    '<figure class="kg-card kg-code-card"><pre><code>a</code></pre><figcaption>c</figcaption></figure>',
  ],
  ['horizontalrule', {}, '<hr>'],
  ['hr', {}, '<hr>'],
  [
    'embed',
    { url: 'https://x.example/1', html: '<blockquote>t</blockquote><script src="x"></script>', caption: 'c' },
    '<figure class="kg-card kg-embed-card"><blockquote>t</blockquote><figcaption>c</figcaption></figure>',
  ],
  [
    'embed',
    { url: 'https://youtu.be/abcdefghijk', html: '' },
    '<figure class="kg-card kg-embed-card"><iframe src="https://www.youtube-nocookie.com/embed/abcdefghijk" allowfullscreen></iframe></figure>',
  ],
  [
    'bookmark',
    {
      url: 'https://x.example',
      metadata: { title: 'T', description: 'D & d', icon: 'i', publisher: 'P' },
      caption: 'c',
    },
    '<figure class="kg-card kg-bookmark-card"><p><a href="https://x.example">T</a></p><p>D &amp; d</p><figcaption>c</figcaption></figure>',
  ],
  ['html', { html: '<table></table>' }, '<table></table>'],
  ['markdown', { markdown: '##A\n*b*\nc' }, '<h2 id="a">A</h2>\n<p><em>b</em><br>\nc</p>\n'],
  ['card-markdown', { markdown: 'a' }, '<p>a</p>\n'],
  [
    'callout',
    { calloutEmoji: '💡', calloutText: '<b>a</b>', backgroundColor: 'blue' },
    '<div class="kg-card kg-callout-card"><div class="kg-callout-emoji">💡</div><div class="kg-callout-text"><b>a</b></div></div>',
  ],
  [
    'toggle',
    { heading: '<p>Why?</p>', content: '<p>So.</p>' },
    '<details class="kg-card kg-toggle-card"><summary>Why?</summary><p>So.</p></details>',
  ],
  [
    'button',
    { buttonText: 'Go <', buttonUrl: '/go', alignment: 'center' },
    '<div class="kg-card kg-button-card"><a href="/go" class="kg-btn">Go &lt;</a></div>',
  ],
  [
    'video',
    { src: '/v.mp4', thumbnailSrc: '/t.jpg', width: 4, height: 3, loop: true, caption: 'c', duration: 9 },
    '<figure class="kg-card kg-video-card"><video src="/v.mp4" poster="/t.jpg" width="4" height="3" controls loop></video><figcaption>c</figcaption></figure>',
  ],
  [
    'audio',
    { src: '/a.mp3', title: 'T & t', duration: 200, thumbnailSrc: '' },
    '<figure class="kg-card kg-audio-card"><audio src="/a.mp3" controls></audio><figcaption>T &amp; t</figcaption></figure>',
  ],
  [
    'file',
    { src: '/f.pdf', fileTitle: 'F', fileCaption: 'c', fileName: 'f.pdf', fileSize: 1234567 },
    '<div class="kg-card kg-file-card"><p><a href="/f.pdf">F</a> c (1.2 MB)</p></div>',
  ],
  [
    'header',
    { header: 'H', subheader: 's', buttonEnabled: true, buttonText: 'b', buttonUrl: '/b', style: 'dark' },
    '<div class="kg-card kg-header-card"><h2>H</h2><p>s</p><a href="/b" class="kg-btn">b</a></div>',
  ],
  [
    'product',
    {
      productImageSrc: '/p.png',
      productTitle: 'P',
      productDescription: '<p>d</p>',
      productButtonEnabled: false,
      productUrl: '/p',
      productButton: 'Buy',
    },
    '<div class="kg-card kg-product-card"><img src="/p.png" alt="P"><h4>P</h4><p>d</p></div>',
  ],
  [
    'call-to-action',
    { textValue: '<p>t</p>', showButton: true, buttonText: 'b', buttonUrl: '/b', imageUrl: '/i.png' },
    '<div class="kg-card kg-cta-card"><img src="/i.png" alt=""><p>t</p><a href="/b" class="kg-btn">b</a></div>',
  ],
  ['paywall', {}, ''],
  ['email', { html: '<p>Dear {first_name}</p>' }, ''],
  ['email-cta', { html: '<p>x</p>', segment: 'status:free' }, ''],
  ['signup', { header: 'Subscribe', buttonText: 'b', buttonUrl: '/b' }, ''],
  ['image', {}, ''],
  ['video', { src: '' }, ''],
  ['html', { html: '<p>x</p>', visibility: { web: { nonMember: false, memberSegment: 'status:free' } } }, ''],
  ['html', { html: '<p>x</p>', visibility: { showOnEmail: true, showOnWeb: false } }, ''],
  ['html', { html: '<p>x</p>', visibility: { web: { nonMember: true, memberSegment: '' } } }, '<p>x</p>'],
];

describe.each(CARDS)('the card %s', (name, payload, html) => {
  it('is the same in Lexical and in Mobiledoc', () => {
    expect(lexical(node(name, payload))).toBe(html);
    expect(card(name, payload)).toBe(html);
  });
});

describe('Mobiledoc', () => {
  it('has markups across several markers, and line breaks', () => {
    const markups = [['strong'], ['a', ['rel', 'x', 'href', '/a?b&c']], ['blink']];
    const markers = [
      [0, [], 0, 'a '],
      [0, [0], 0, 'b '],
      [0, [1], 1, 'c'],
      [1, [], 0, 0],
      [0, [], 1, '<d>'],
      [0, [2], 1, 'e'],
      [0, [0], 0, 'never closed'],
    ];
    expect(mobiledoc({ markups, atoms: [['soft-return', '', {}]], sections: [[1, 'p', markers]] })).toBe(
      '<p>a <strong>b <a href="/a?b&amp;c">c</a><br>&lt;d&gt;</strong>e<strong>never closed</strong></p>',
    );
  });

  it('ignores a text that is not a string', () => {
    const markers = [
      [0, [], 0, 'a'],
      [0, [], 0, { b: 1 }],
      [1, [], 0, 0],
    ];
    expect(mobiledoc({ atoms: [['mention', { c: 1 }, {}]], sections: [[1, 'p', markers]] })).toBe('<p>a</p>');
  });

  it('has headings, quotes, lists and images', () => {
    const marker = (written: string) => [[0, [], 0, written]];
    const sections = [
      [1, 'h2', marker('A b')],
      [1, 'aside', marker('c')],
      [1, 'p', []],
      [3, 'ol', [marker('d'), marker('e')]],
      [2, '/f.png'],
      [99, 'x'],
    ];
    expect(mobiledoc({ sections })).toBe(
      [
        '<h2 id="a-b">A b</h2>',
        '<blockquote class="kg-blockquote-alt">c</blockquote>',
        '<ol><li>d</li><li>e</li></ol>',
        '<figure class="kg-card kg-image-card"><img src="/f.png" alt=""></figure>',
      ].join('\n'),
    );
  });

  it('is also read in version 0.2', () => {
    const sections = [
      [['em']],
      [
        [
          1,
          'p',
          [
            [[], 0, 'a '],
            [[0], 1, 'b'],
          ],
        ],
        [3, 'ul', [[[[], 0, 'c']]]],
        [10, 'html-card', {}],
        [10, 'html', { html: '<hr>' }],
      ],
    ];
    const lost: string[] = [];
    expect(renderMobiledoc({ version: '0.2.0', sections }, (what) => void lost.push(what))).toBe(
      '<p>a <em>b</em></p>\n<ul><li>c</li></ul>\n<hr>',
    );
    expect(lost).toEqual(['card html-card']);
  });

  it('that is invalid gives nothing', () => {
    for (const broken of [
      null,
      {},
      { version: '0.3.1', sections: [[1], [10, 5], null, [3]] },
      { version: '0.2' },
    ]) {
      expect(renderMobiledoc(broken, fail)).toBe('');
    }
  });
});

describe('Markdown of Ghost', () => {
  it('keeps code unchanged', () => {
    expect(ghostMarkdown('```sh\n#!/bin/sh\n```\n#A')).toBe(
      '<pre><code class="language-sh">#!/bin/sh\n</code></pre>\n<h1 id="a">A</h1>\n',
    );
  });
});

describe('HTML that Ghost rendered', () => {
  it('is unchanged without cards that need Ghost', () => {
    const html =
      '<p>a &nbsp;<BR>b</p><figure class="kg-card kg-image-card"><img src=x></figure><!--kg-card-end: html-->';
    expect(cleanHtml(html)).toBe(html);
  });

  it('has players and files as plain elements', () => {
    const html =
      '<p>before</p>' +
      '<div class="kg-card kg-audio-card"><img src="" alt="audio-thumbnail" class="kg-audio-thumbnail kg-audio-hide"><div class="kg-audio-player-container"><audio src="/a.mp3" preload="metadata"></audio><div class="kg-audio-title">T &amp; t</div><div class="kg-audio-player"><button class="kg-audio-play-icon"><svg></svg></button><span class="kg-audio-current-time">0:00</span><div class="kg-audio-time">/<span class="kg-audio-duration">3:20</span></div><input type="range"><button class="kg-audio-playback-rate">1&#215;</button></div></div></div>' +
      '<figure class="kg-card kg-video-card kg-width-regular kg-card-hascaption" data-kg-thumbnail="/t.jpg" data-kg-custom-thumbnail=""><div class="kg-video-container"><video src="/v.mp4" poster="https://img.spacergif.org/v1/4x3/0a/spacer.png" width="4" height="3" loop playsinline style="background: transparent url(\'/s.jpg\')"></video><div class="kg-video-player-container"><span class="kg-video-current-time">0:00</span></div></div><figcaption><p>c</p></figcaption></figure>' +
      '<div class="kg-card kg-file-card"><a class="kg-file-card-container" href="/f.pdf" title="Download" download><div class="kg-file-card-contents"><div class="kg-file-card-title">F</div><div class="kg-file-card-caption"></div><div class="kg-file-card-metadata"><div class="kg-file-card-filename">f.pdf</div><div class="kg-file-card-filesize">1 MB</div></div></div><div class="kg-file-card-icon"><svg><title>download-circle</title></svg></div></a></div>' +
      '<p>after</p>';
    expect(cleanHtml(html)).toBe(
      '<p>before</p>' +
        '<figure class="kg-card kg-audio-card"><audio src="/a.mp3" controls></audio><figcaption>T &amp; t</figcaption></figure>' +
        '<figure class="kg-card kg-video-card"><video src="/v.mp4" poster="/t.jpg" width="4" height="3" controls loop></video><figcaption><p>c</p></figcaption></figure>' +
        '<div class="kg-card kg-file-card"><p><a href="/f.pdf">F</a> (1 MB)</p></div>' +
        '<p>after</p>',
    );
  });

  it('has toggles and bookmarks as plain elements, and no forms', () => {
    const html =
      '<div class="kg-card kg-toggle-card" data-kg-toggle-state="close"><div class="kg-toggle-heading"><h4 class="kg-toggle-heading-text"><span>Why?</span></h4><button class="kg-toggle-card-icon"><svg></svg></button></div><div class="kg-toggle-content"><p>So.</p></div></div>' +
      '<figure class="kg-card kg-bookmark-card"><a class="kg-bookmark-container" href="https://x.example"><div class="kg-bookmark-content"><div class="kg-bookmark-title">T</div><div class="kg-bookmark-description">D</div><div class="kg-bookmark-metadata"><img class="kg-bookmark-icon" src="i"><span class="kg-bookmark-publisher">P</span></div></div><div class="kg-bookmark-thumbnail"><img src="t"></div></a></figure>' +
      '<div class="kg-card kg-signup-card"><form class="kg-signup-card-form"><input><button>Subscribe</button></form></div>';
    expect(cleanHtml(html)).toBe(
      '<details class="kg-card kg-toggle-card"><summary><span>Why?</span></summary><p>So.</p></details>' +
        '<figure class="kg-card kg-bookmark-card"><p><a href="https://x.example">T</a></p><p>D</p></figure>',
    );
  });

  it('has nothing that is hidden from visitors without an account', () => {
    const gated = (rule: string, content: string) =>
      `<!--kg-gated-block:begin ${rule} -->${content}<!--kg-gated-block:end-->`;
    const members = gated('nonMember:false memberSegment:"status:free,status:-free"', '<p>secret</p>');
    const all = gated('nonMember:true memberSegment:"status:free"', '<p>b</p>');
    expect(cleanHtml(`<p>a</p>${members}${all}<p>c</p>`)).toBe('<p>a</p><p>b</p><p>c</p>');
    expect(cleanHtml(gated('memberSegment:"status:free"', 'secret'))).toBe('');
    expect(cleanHtml('a<!--kg-gated-block:begin nonMember:false-->secret, and not closed')).toBe('a');
  });
});

describe("a post's body", () => {
  const paragraph = JSON.stringify({ root: parent('root', [parent('paragraph', [text('lexical')])]) });
  const sections = [[1, 'p', [[0, [], 0, 'mobiledoc __GHOST_URL__/x']]]];
  const doc = JSON.stringify({ version: '0.3.1', markups: [], atoms: [], cards: [], sections });

  it.each([
    [{ html: '<p>html</p>', lexical: paragraph }, '<p>html</p>'],
    [{ html: null, lexical: paragraph, mobiledoc: doc }, '<p>lexical</p>'],
    [{ html: ' ', lexical: '', mobiledoc: doc, markdown: 'x' }, '<p>mobiledoc /x</p>'],
    [{ html: null, mobiledoc: null, markdown: '*md*' }, '<p><em>md</em></p>'],
    [{ html: null, mobiledoc: JSON.parse(doc) as unknown }, '<p>mobiledoc /x</p>'],
    [{ html: null }, ''],
  ])('is taken from the best source', async (fields, body) => {
    expect((await readGhostPost(fields)).body).toBe(body);
  });
});
