import { describe, expect, it } from 'vitest';
import {
  COMMONMARK,
  type Dialect,
  plainLine,
  plainText,
  plainTitle,
  renderMarkdown,
} from '../../common/content/markdown.ts';

const render = (source: string, dialect: Dialect = COMMONMARK) =>
  renderMarkdown(source, { dialect, linkTo: (written) => written.replace(/^img/, '/img') });

describe('renderMarkdown', () => {
  it('supports tables, strikethrough, autolinks and raw HTML', () => {
    expect(render('|a|\n|-|\n|~~b~~|')).toMatch(/<table>[^]*<s>b<\/s>/);
    expect(render('see https://a.example/b and node.js')).toBe(
      '<p>see <a href="https://a.example/b">https://a.example/b</a> and node.js</p>\n',
    );
    expect(render('<aside class="x">\n\n*a*\n\n</aside>')).toContain('<aside class="x">\n<p><em>a</em></p>');
  });

  it.each([
    ['```rust,no_run\nx\n```', 'language-rust'],
    ['```{.python .numbered}\nx\n```', 'language-python'],
    ['```c++ {linenos=true}\nx\n```', 'language-c++'],
  ])('gives %j the class %s', (source, name) => {
    expect(render(source)).toContain(`<code class="${name}">`);
  });

  it('gives headings unique ids, the author’s own or one from their text', () => {
    expect(render('## A `b` {#own}\n\n## Añadir: c!\n\n## Añadir: c!\n')).toBe(
      '<h2 id="own">A <code>b</code></h2>\n<h2 id="añadir-c">Añadir: c!</h2>\n<h2 id="añadir-c-1">Añadir: c!</h2>\n',
    );
  });

  it('removes attribute lists of kramdown, if the site uses it', () => {
    expect(render('A [b](/c){:target="_blank"} d\n{: .note #x}', { name: 'unknown' })).toBe(
      '<p>A <a href="/c">b</a> d\n</p>\n',
    );
    expect(render('`{:?}` {: .note}')).toBe('<p><code>{:?}</code> {: .note}</p>\n');
    expect(render(`{:${'a'.repeat(5000)}`, { name: 'unknown' })).toContain('aaa');
  });

  it('does not read attribute lines of kramdown as table rows or lists', () => {
    const table = '<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n';
    const source =
      '| a | b |\n|---|---|\n| 1 | 2 |\n{: .table}\n\nText\n\n* TOC\n{:toc}\n\n1. Contents\n{:toc .x}\n';
    expect(render(source, { name: 'unknown' })).toBe(
      `${table}<td>1</td>\n<td>2</td>\n</tr>\n</tbody>\n</table>\n<p>Text</p>\n`,
    );
    expect(render(source)).toContain('{: .table}');
    expect(render('| a |\n|---|\n| {: .x} y |\n\n* one\n* two\n{:toc}\n', { name: 'unknown' })).toMatch(
      / y<.*two/s,
    );
    expect(render('a {:toc}\n\n- b {:toc}', { name: 'unknown' })).toMatch(/a .*b /s);
  });

  it("resolves links and images by the site's paths", () => {
    expect(render('![a](img/b.png)')).toContain('<img src="/img/b.png" alt="a">');
  });

  it('does not read Vec<T> as HTML', () => {
    expect(render('A Vec<T> here')).toBe('<p>A Vec&lt;T&gt; here</p>\n');
  });

  it('gives headings the ids that GitHub gives them', () => {
    expect(render('## ⚡️ Fast & ½ *way*\n\n## I’m x² ℹ\n')).toBe(
      '<h2 id="️-fast---way">⚡️ Fast &amp; ½ <em>way</em></h2>\n<h2 id="im-x-ℹ">I’m x² ℹ</h2>\n',
    );
  });

  it('lists footnotes at the end, in the order of their references, with links back', () => {
    const html = render(
      'One[^b] two[^a] three[^b] [^none].\n\n[^a]: The *first*.\n[^b]: The second\n    goes on.\n\n    And on.\n\nText.',
    );
    expect(html).toContain(
      'One<sup><a href="#fn-1" id="fnref-1">1</a></sup> two<sup><a href="#fn-2" id="fnref-2">2</a></sup> ' +
        'three<sup><a href="#fn-1" id="fnref-1-2">1</a></sup> [^none].',
    );
    const back = (id: string) => `<a href="#${id}">↩\ufe0e</a>`;
    expect(html).toContain(
      '<p>Text.</p>\n<section class="footnotes">\n<ol>\n' +
        `<li id="fn-1">\n<p>The second\ngoes on.</p>\n<p>And on. ${back('fnref-1')} ${back('fnref-1-2')}</p>\n</li>\n` +
        `<li id="fn-2">\n<p>The <em>first</em>. ${back('fnref-2')}</p>\n</li>\n</ol>\n</section>`,
    );
  });

  it('finds a footnote whose text comes before its reference', () => {
    expect(render('[^a]: Note.\n\nText[^a].')).toContain(
      'Text<sup><a href="#fn-1" id="fnref-1">1</a></sup>.',
    );
  });

  it('ends a footnote at the next block, and keeps code in one complete', () => {
    expect(render('a[^1]\n\n[^1]: note\n## Heading\n\n[^2]: x\n- item')).toMatch(
      /<h2 id="heading">Heading<\/h2>\n<ul>\n<li>item<\/li>\n<\/ul>\n<section[^]*<p>note <a/,
    );
    expect(render('a[^1]\n\n[^1]: note\n\n    ```js\n    b\n\n    c\n    ```\n')).toContain(
      '<code class="language-js">b\n\nc\n</code>',
    );
  });

  it('keeps the text of nested footnotes', () => {
    const html = render('a[^1] b[^2]\n\n[^1]: one\n\n    [^2]: two\n\n    three\n');
    expect(html).toMatch(/<li id="fn-1">\n<p>one<\/p>\n<p>three <a.*\n<\/li>\n<li id="fn-2">\n<p>two <a/);
  });

  it('does not read `^[a-z]` as a footnote', () => {
    expect(render('the pattern ^[a-z] here')).toBe('<p>the pattern ^[a-z] here</p>\n');
  });
});

describe('plain text', () => {
  it.each([
    ['Announcing `cargo` **1.0**', 'Announcing cargo 1.0'],
    ['<em>Q&amp;A</em> &mdash; <i class="icon"></i>part&nbsp;1<br>of <KBD>2</KBD>', 'Q&A — part 1 of 2'],
    ['Using <style> & <title> in HTML', 'Using <style> & <title> in HTML'],
    ['Vec<T> and Box<dyn Error>', 'Vec<T> and Box<dyn Error>'],
    ['Replace <b> by <em>strong</em></i>', 'Replace <b> by strong</i>'],
    [
      'A <p>block</p>, <script>x</script>, <!-- a comment -->',
      'A <p>block</p>, <script>x</script>, <!-- a comment -->',
    ],
    ['The `<style>` element', 'The <style> element'],
    ['\u202Etxt.exe\u2066 \u202Abc\u2069', 'txt.exe bc'],
    ['A [link](https://a.example)', 'A link'],
    ['1. is no list', '1. is no list'],
    ['Vec<T> & co', 'Vec<T> & co'],
    ['snake_case_name', 'snake_case_name'],
  ])('of the title %j is %j', (source, text) => {
    expect(plainTitle(source)).toBe(text);
  });

  it.each([
    ['Using <style> & <title>\n\nin HTML', 'Using <style> & <title> in HTML'],
    ['<title> and <dyn Error> at the start', '<title> and <dyn Error> at the start'],
    ['<p>One</p><p>two</p>\n\n- three\n- *four* </div>', 'One two three four </div>'],
  ])('of the description %j is %j', (source, text) => {
    expect(plainLine(source)).toBe(text);
  });

  it('of an excerpt has its blocks on one line', () => {
    expect(plainText('<p>One</p><p>two</p>\n\n- three\n- *four*')).toBe('One two three four');
  });
});

describe('kramdown', () => {
  const kramdown = (source: string) => render(source, { name: 'kramdown', quotes: true });

  it.each([
    ['a **b **c** d', 'a <strong>b **c</strong> d'],
    ['从**裸写（a）**的 *d**e* f_g_h', '从<strong>裸写（a）</strong>的 <em>d**e</em> f_g_h'],
    ['**a _b_ c** ***d***', '<strong>a <em>b</em> c</strong> <strong><em>d</em></strong>'],
    ['(\\__proto__) * a * b', '(__proto__) * a * b'],
    ['``b`c`` `a \\``', '<code>b`c</code> <code>a \\</code>`'],
    ["\"a\" 'b' it's the '80s -- c... <<d>>", '“a” ‘b’ it’s the ’80s – c… «d»'],
    ['$$x_1$$ and `"`', '\\(x_1\\) and <code>&quot;</code>'],
    ['![a](b c.gif) [d](e f "g")', '<img src="b%20c.gif" alt="a"> <a href="e%20f">d</a>'],
    ['<a href="/x">\n*y*\n</a>', '<a href="/x">\n<em>y</em>\n</a>'],
    ['a <blockquote> b', 'a &lt;blockquote&gt; b'],
    ['on a <script> tag', 'on a <script> tag</script>'],
    ['a{: .b title="c"} d', 'a d'],
  ])('%j becomes %j', (source, html) => {
    expect(kramdown(source)).toBe(`<p>${html}</p>\n`);
  });

  it('has tables without a header, and bars in their code', () => {
    expect(kramdown('a|`b|c`\n\n|').replace(/\n/g, '')).toBe(
      '<table><tbody><tr><td>a</td><td><code>b|c</code></td></tr></tbody></table>' +
        '<table><tbody><tr></tr></tbody></table>',
    );
    expect(kramdown('|a|b|\n|-|-|\n|1|2|\n|=\n|3|')).toMatch(/<thead>[^]*<tbody>[^]*<tfoot>/);
    expect(kramdown('text\n|a|b|')).toContain('<p>text');
  });

  it('makes a table of contents of the list above {:toc}', () => {
    const html = kramdown('* x\n{:toc}\n\n# A\n\n## B\n\n# C\n{:.no_toc}\n\n# D');
    expect(html).toMatch(
      /^<ul><li><a href="#a">A<\/a><ul><li><a href="#b">B<\/a><\/li><\/ul><\/li><li><a href="#d">D<\/a><\/li><\/ul><h1/,
    );
    expect(html).not.toContain('{:');
  });

  it('has formulas, and definitions of links and abbreviations, as blocks', () => {
    expect(kramdown('$$\nx < y\n$$\n\n[a]: /b c\n*[D]: e\n\n[a] D')).toBe(
      '\\[x &lt; y\\]\n<p><a href="/b%20c">a</a> D</p>\n',
    );
  });

  it('reports what the generator may read as Markdown', () => {
    const losses: string[] = [];
    renderMarkdown('a](b) <picture> c', {
      dialect: { name: 'kramdown', quotes: true },
      linkTo: (written) => written,
      lose: (what) => losses.push(what),
    });
    expect(losses).toEqual(['"](" that stays in the text', 'element <picture> without an end']);
  });
});

describe('goldmark', () => {
  const goldmark = (source: string, unsafe = true) =>
    render(source, { name: 'goldmark', typographer: true, unsafe });

  it('has definition lists, as Hugo by default', () => {
    expect(goldmark('Summary\n\n: a life\n')).toBe(
      '<dl>\n<dt>Summary</dt>\n<dd>\n<p>a life</p>\n</dd>\n</dl>\n',
    );
    expect(goldmark('Summary\n\n~ a life\n')).not.toContain('<dl>');
  });

  it.each([
    ["\"a\" 'b c' it's the '80s, I've -- d... <<e>>", '“a” ‘b c’ it’s the ’80s, I’ve – d… «e»'],
    ['`"--"` の"A"', '<code>&quot;--&quot;</code> の&quot;A&quot;'],
    ['https://a.example/%C2%AE', '<a href="https://a.example/%C2%AE">https://a.example/%C2%AE</a>'],
  ])('%j becomes %j', (source, html) => {
    expect(goldmark(source)).toBe(`<p>${html}</p>\n`);
  });

  it.each([
    ['a https://b.example/c_d, e', 'a <a href="https://b.example/c_d">https://b.example/c_d</a>, e'],
    [
      '(http://b.example/c_(d)) **ftp://b.example**',
      '(<a href="http://b.example/c_(d)">http://b.example/c_(d)</a>) ' +
        '<strong><a href="ftp://b.example">ftp://b.example</a></strong>',
    ],
    ["url='https://b.example/c\\_d'", "url='https://b.example/c_d'"],
    ['https://b.example/c\\_d', '<a href="https://b.example/c">https://b.example/c</a>_d'],
    ['http://localhost/c\\_d mailto:a@b.example x:y', 'http://localhost/c_d mailto:a@b.example x:y'],
    ['[https://b.example/c](https://d.example)', '<a href="https://d.example">https://b.example/c</a>'],
  ])('links bare addresses as Goldmark does: %j', (source, html) => {
    const plain = render(source, { name: 'goldmark', typographer: false, unsafe: true });
    expect(plain).toBe(`<p>${html}</p>\n`);
  });

  it('has task lists', () => {
    expect(goldmark('- [x] a\n- [ ] b [x] c')).toBe(
      '<ul>\n<li><input type="checkbox" disabled="" checked="">a</li>\n' +
        '<li><input type="checkbox" disabled="">b [x] c</li>\n</ul>\n',
    );
  });

  it('has tables whose headers are too short, but not in code', () => {
    expect(goldmark('|a|\n|--|-|\n|b|c|')).toMatch(/<th>a<\/th>\n<th><\/th>[^]*<td>b<\/td>\n<td>c<\/td>/);
    expect(goldmark('```\n|a|\n|--|--|\n```')).toContain('|a|\n|--|--|\n');
  });

  it('omits HTML if the site does not allow it', () => {
    expect(goldmark('<div>\na\n</div>\n\nb <b>c</b>', false)).toBe('<p>b c</p>\n');
  });
});
