import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sanitise } from '../../../build/html/sanitise.ts';
import { withParagraphs } from '../../../import/wordpress/paragraphs.ts';
import { SEED } from '../../random-cases.ts';

describe('paragraphs of the classic editor', () => {
  it.each([
    // Blank lines separate paragraphs; single line breaks stay line breaks.
    ['one', '<p>one</p>'],
    ['one\n\ntwo', '<p>one</p>\n<p>two</p>'],
    ['one\n \t\n\n\ntwo\n', '<p>one</p>\n<p>two</p>'],
    ['one\ntwo\nthree', '<p>one<br />\ntwo<br />\nthree</p>'],
    ['one<br>\ntwo<br />\nthree', '<p>one<br>\ntwo<br />\nthree</p>'],
    ['', ''],
    [' \n\n ', ''],
    // Block elements are unchanged.
    ['a\n<h2>b</h2>\nc', '<p>a</p>\n<h2>b</h2>\n<p>c</p>'],
    ['<h2>b</h2>c', '<h2>b</h2>\n<p>c</p>'],
    ['<ul>\n<li>a</li>\n<li>b\nc</li>\n</ul>', '<ul>\n<li>a</li>\n<li>b<br />\nc</li>\n</ul>'],
    ['<ul><li>a<ul><li>b</li></ul></li></ul>', '<ul><li>a<ul><li>b</li></ul></li></ul>'],
    [
      '<table>\n<tr>\n\n<td>a</td>\n<td>\nb\n</td></tr></table>',
      '<table>\n<tr>\n<td>a</td>\n<td>\nb\n</td></tr></table>',
    ],
    ['a<hr>b', '<p>a</p>\n<hr>\n<p>b</p>'],
    ['<DIV CLASS="x">a</DIV>', '<DIV CLASS="x">a</DIV>'],
    ['<h2>a\n\nb</h2>', '<h2>a\nb</h2>'],
    // Text inside them gets paragraphs if a blank line separates it, and always in a quotation.
    ['<div>a\n\nb</div>', '<div>\n<p>a</p>\n<p>b</p>\n</div>'],
    ['<div>\n\na\n\n</div>', '<div>\n<p>a</p>\n</div>'],
    ['<td>a\n\nb</td>', '<td>\n<p>a</p>\n<p>b</p>\n</td>'],
    ['<blockquote>a</blockquote>', '<blockquote>\n<p>a</p>\n</blockquote>'],
    ['<blockquote><p>a</p></blockquote>', '<blockquote><p>a</p></blockquote>'],
    ['<figure>\n\n<img src="/a">\n\n</figure>', '<figure>\n<img src="/a">\n</figure>'],
    // Existing paragraphs.
    ['<p>a</p>\n\nb', '<p>a</p>\n<p>b</p>'],
    ['<p class="x">a\nb</p>', '<p class="x">a<br />\nb</p>'],
    ['<p class="x">a\n\nb</p>c', '<p class="x">a</p>\n<p>b</p>\n<p>c</p>'],
    ['<p>a<div>b</div></p>c', '<p>a</p>\n<div>b</div>\n<p>c</p>'],
    ['a</p>b', '<p>a</p>\n<p>b</p>'],
    // Code and scripts are unchanged.
    ['a\n<pre>b\n\n  c <p>\n</pre>\nd', '<p>a</p>\n<pre>b\n\n  c <p>\n</pre>\n<p>d</p>'],
    ['a <code>b\n\nc\nd</code>\ne', '<p>a <code>b\n\nc\nd</code><br />\ne</p>'],
    ['<script>\na\n\nb\n</script>', '<script>\na\n\nb\n</script>'],
    ['<PRE>a\n\nb</Pre>', '<PRE>a\n\nb</Pre>'],
    // Inline elements continue across paragraphs.
    ['<em>a\n\nb</em> c', '<p><em>a</em></p>\n<p><em>b</em> c</p>'],
    ['<a id="x" href="/y">a\n\nb</a>', '<p><a id="x" href="/y">a</a></p>\n<p><a href="/y">b</a></p>'],
    ['<a id="x">\n\na</a>', '<p><a id="x">a</a></p>'],
    ['<a href="/y"><h2>a</h2></a>', '<a href="/y"><h2>a</h2></a>'],
    ['<strong>\n\na</strong>', '<p><strong>a</strong></p>'],
    ['<a id="x"></a>\n\nb', '<p><a id="x"></a></p>\n<p>b</p>'],
    ['<strong ></strong>\n\nb', '<strong ></strong>\n<p>b</p>'],
    ['<img src="/a"\nalt="b">', '<p><img src="/a"\nalt="b"></p>'],
    ['1 < 2\n\n<3', '<p>1 < 2</p>\n<p><3</p>'],
  ])('%j', (text, expected) => {
    expect(withParagraphs(text)).toBe(expected);
  });

  it(`lose no text and no image, whatever surrounds them, seed ${SEED}`, () => {
    const tags = ['p', 'div', 'ul', 'li', 'blockquote', 'h2', 'em', 'a', 'pre', 'code', 'td', 'table'];
    const piece = fc.oneof(
      fc.constantFrom('\n', '\n\n', ' ', '\n \n', '<br>', '<hr>', '<img src="/a.png">', '&amp;'),
      fc.constantFrom(...tags.flatMap((tag) => [`<${tag}>`, `</${tag}>`])),
      fc.integer({ min: 0, max: 99 }).map((number) => `w${number} `),
    );
    const shown = (html: string): string[] => html.match(/w\d+|<img src="\/a\.png">/g) ?? [];
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join('');
        const made = withParagraphs(text);
        expect(shown(made)).toEqual(shown(text));
        expect(shown(sanitise(made, 'https://blog.example/a'))).toHaveLength(
          shown(sanitise(text, 'https://blog.example/a')).length,
        );
      }),
      { seed: SEED, numRuns: 5_000 },
    );
  });
});
