import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sanitisePlain } from '../../build/html/plain.ts';
import { HTML_POLICY } from '../../build/html/policy.ts';
import { sanitiseByLibrary } from '../../build/html/sanitise.ts';

const BASE = 'https://blog.example/posts/an-article';
const SEED = Number(process.env['OFFPRINT_TEST_SEED'] ?? Date.now() % 2 ** 31);

/** Gives whether the HTML was taken for plain; if so, the library must come to the same. */
function agrees(html: string): boolean {
  const plain = sanitisePlain(html, BASE);
  if (plain !== null) expect(plain, html).toBe(sanitiseByLibrary(html, BASE));
  return plain !== null;
}

const OTHER_TAGS = [
  'script',
  'style',
  'svg',
  'math',
  'template',
  'form',
  'input',
  'font',
  'nobr',
  'select',
  'main',
];
const TAGS = [...HTML_POLICY.tags, ...OTHER_TAGS, ...HTML_POLICY.withoutText];

describe(`plain HTML comes out as from the library, seed ${SEED}`, { timeout: 120_000 }, () => {
  test('every element alone, with and without an end, and inside every other', () => {
    let plain = 0;
    for (const parent of TAGS) {
      for (const child of TAGS) {
        const nested = [
          `<${parent}><${child}>x</${child}></${parent}>`,
          `<${parent}>a<${child}></${child}>b</${parent}>`,
          `<div><${parent}><${child}></${parent}></div>`,
          `<${parent}></${parent}><${child}></${child}>`,
        ];
        plain += nested.filter(agrees).length;
      }
    }
    expect(plain).toBeGreaterThan(2000);
  });

  test('every element inside lists, tables and figures, wherever these stand', () => {
    const chains = ['ul li', 'ol li p', 'dl dt', 'dl dd', 'table tbody tr td', 'table thead tr th', 'table tr td',
      'table tbody td', 'table caption', 'details summary', 'blockquote p', 'figure figcaption', 'ul ul li']; // prettier-ignore
    let plain = 0;
    for (const chain of chains) {
      for (const child of TAGS) {
        for (const around of ['div', 'table', 'li', 'td', 'p', 'a']) {
          const names = [around, ...chain.split(' '), child];
          const html = `${names.map((name) => `<${name}>`).join('')}x${names
            .reverse()
            .map((name) => `</${name}>`)
            .join('y')}`;
          plain += agrees(html) ? 1 : 0;
        }
      }
    }
    expect(plain).toBeGreaterThan(200);
  });

  test('every attribute on every element, with every kind of value', () => {
    const attributes = [...new Set(Object.values(HTML_POLICY.attributes).flat())];
    const names = [
      ...attributes,
      'onclick',
      'srcset',
      'target',
      'data-x',
      'formaction',
      'xlink:href',
      'HREF',
    ];
    let plain = 0;
    for (const tag of HTML_POLICY.tags) {
      for (const name of names) {
        for (const value of VALUES) {
          const isVoid = ['br', 'hr', 'img', 'wbr', 'col'].includes(tag);
          const html = `<${tag} ${name}${value}>${isVoid ? '' : `</${tag}>`}`;
          plain += agrees(html) ? 1 : 0;
        }
      }
    }
    expect(plain).toBeGreaterThan(10_000);
  });

  test('random HTML, nearly plain', () => {
    let plain = 0;
    fc.assert(
      fc.property(almostPlain, (html) => {
        plain += agrees(html) ? 1 : 0;
      }),
      { seed: SEED, numRuns: 10_000 },
    );
    expect(plain).toBeGreaterThan(1500);
  });

  test('random bytes between brackets', () => {
    const letters = [
      ...'<>/"\'=& \t\n\r\f;:#!-?[]`{}ampltgquoxX0\0\ufffd\u00a0é文',
      '<p>',
      '</p>',
      '<a href="',
      '">',
      '<b>',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...letters), { maxLength: 30 }), (parts) => {
        agrees(parts.join(''));
      }),
      { seed: SEED, numRuns: 20_000 },
    );
  });

  test.each([
    '<p>A <a href="../other?a=1&amp;b=2#c">link</a>, "quoted" &quot;twice&quot;, 1 &lt; 2 > 0.</p>',
    '<figure><img src="/media/1.jpg" alt="" loading="lazy"><figcaption>One</figcaption></figure>',
    '<pre><code class="language-ts hidden">a &amp;&amp; b</code></pre>',
    '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>1<br>2</td></tr></tbody></table>',
    '<ul>\n<li><p>one</p></li>\n<li>two<ul><li>three</li></ul></li>\n</ul>',
  ])('is plain: %s', (html) => {
    expect(agrees(html)).toBe(true);
  });

  test.each([
    '<p onclick="x()">a</p><script>x()</script>',
    '<p>a',
    '<p>a<div>b</div></p>',
    '<a href="javascript:x()">a</a>',
    '<a href="&#106;avascript:x()">a</a>',
    '<iframe src="https://evil.example/"></iframe>',
    '<iframe src="https://www.youtube-nocookie.com/embed/x" width="560" allowfullscreen></iframe>',
    '<iframe src="https://www.youtube.com@evil.example/"></iframe>',
    '<p style="color:red">a</p>',
    '<P>a</P>',
    "<p title='a'>a</p>",
    '<p>a &nbsp; b</p>',
    '<!-- a --><p>b</p>',
    '<p title="a" title="b">c</p>',
    '<p/>',
    '<td>a</td>',
  ])('is left to the library: %s', (html) => {
    expect(sanitisePlain(html, BASE)).toBeNull();
  });
});

const VALUES = [
  '',
  '=""',
  '="1"',
  '="one two"',
  '=" language-ts  wp-block-x evil"',
  '="language-"',
  '="#note-1"',
  '="#"',
  '="https://blog.example/a?b=1&amp;c=2#d"',
  '="http://user@evil.example/"',
  '="https://www.youtube.com/embed/x"',
  '="https://www.youtube.com.evil.example/"',
  '="//evil.example/x"',
  '="/a/b"',
  '="../a b"',
  '="?page=2"',
  '="javascript:alert(1)"',
  '="JaVaScRiPt:alert(1)"',
  '=" javascript:alert(1)"',
  '="java\tscript:alert(1)"',
  '="data:image/png;base64,AAAA"',
  '="data:text/html,x"',
  '="mailto:a@b.example"',
  '="a&quot;b"',
  '="a&lt;b"',
  '="a\u00a0b"',
  '="color:red"',
  "='1'",
  '=1',
  '="a`b"',
  '="https://пример.example/путь"',
  '="https://blog.example/путь?я"',
  '="https://EXAMPLE.com/"',
  '="https:evil"',
  '="https:/\\evil.example"',
];

const ATTRIBUTES = [
  '',
  '',
  '',
  ' class="language-js other"',
  ' id="a"',
  ' href="/a?b&amp;c"',
  ' href="https://x.example/" title="&quot;t&quot;"',
  ' src="https://player.vimeo.com/video/1" allowfullscreen',
  ' target="_blank" rel="noopener"',
  ' style="text-align:center"',
  ' onclick="x()"',
];

/** Trees of elements as writers make them, now and then with something out of place. */
const almostPlain: fc.Arbitrary<string> = fc.letrec<{ node: string; nodes: string }>((tie) => ({
  nodes: fc.array(tie('node'), { maxLength: 4 }).map((nodes) => nodes.join('')),
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('text', ' a &amp; b ', '"', '&quot;', '>', '1 &lt; 2', '\n', 'я', '文', '\u{1f980}'),
    fc.constantFrom('<br>', '<br/>', '<hr>', '<img src="/a.png" alt="">', '<img src="a.png" alt="b" />'),
    fc
      .tuple(fc.constantFrom(...HTML_POLICY.tags), fc.constantFrom(...ATTRIBUTES), tie('nodes'))
      .map(([tag, attribute, inner]) => `<${tag}${attribute}>${inner}</${tag}>`),
    fc
      .tuple(
        fc.constantFrom('p', 'div', 'ul', 'b', 'a', 'table'),
        fc.constantFrom('li', 'td', 'p', 'i', 'svg'),
        tie('nodes'),
      )
      .map(([tag, other, inner]) => `<${tag}><${other}>${inner}</${other}></${tag}>`),
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '<',
        '</p>',
        '<p>',
        '&nbsp;',
        '&',
        '<!-- x -->',
        '<script>x</script>',
        '</',
        '<x>',
      ),
    },
  ),
})).nodes;
