import { describe, expect, it } from 'vitest';
import { plainText, plainTitle, renderMarkdown } from '../../data/content/markdown.ts';

const render = (source: string, kramdown = false) =>
  renderMarkdown(source, { kramdown, linkTo: (written) => written.replace(/^img/, '/img') });

describe('renderMarkdown', () => {
  it('knows tables, strikethrough, autolinks and raw HTML', () => {
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

  it('gives headings ids, the author’s own or one from their text, never twice', () => {
    expect(render('## A `b` {#own}\n\n## Añadir: c!\n\n## Añadir: c!\n')).toBe(
      '<h2 id="own">A <code>b</code></h2>\n<h2 id="añadir-c">Añadir: c!</h2>\n<h2 id="añadir-c-1">Añadir: c!</h2>\n',
    );
  });

  it('takes out the attribute lists of kramdown, where the site has it', () => {
    expect(render('A [b](/c){:target="_blank"} d\n{: .note #x}', true)).toBe(
      '<p>A <a href="/c">b</a> d\n</p>\n',
    );
    expect(render('`{:?}` {: .note}')).toBe('<p><code>{:?}</code> {: .note}</p>\n');
    expect(render(`{:${'a'.repeat(5000)}`, true)).toContain('aaa');
  });

  it('finds links and images where the site has them', () => {
    expect(render('![a](img/b.png)')).toContain('<img src="/img/b.png" alt="a">');
  });

  it('does not take Vec<T> for HTML', () => {
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

  it('ends a footnote where another block begins, and keeps the code in one whole', () => {
    expect(render('a[^1]\n\n[^1]: note\n## Heading\n\n[^2]: x\n- item')).toMatch(
      /<h2 id="heading">Heading<\/h2>\n<ul>\n<li>item<\/li>\n<\/ul>\n<section[^]*<p>note <a/,
    );
    expect(render('a[^1]\n\n[^1]: note\n\n    ```js\n    b\n\n    c\n    ```\n')).toContain(
      '<code class="language-js">b\n\nc\n</code>',
    );
  });

  it('keeps the text of a footnote around another', () => {
    const html = render('a[^1] b[^2]\n\n[^1]: one\n\n    [^2]: two\n\n    three\n');
    expect(html).toMatch(/<li id="fn-1">\n<p>one<\/p>\n<p>three <a.*\n<\/li>\n<li id="fn-2">\n<p>two <a/);
  });

  it('takes no `^[a-z]` for a footnote', () => {
    expect(render('the pattern ^[a-z] here')).toBe('<p>the pattern ^[a-z] here</p>\n');
  });
});

describe('plain text', () => {
  it.each([
    ['Announcing `cargo` **1.0**', 'Announcing cargo 1.0'],
    ['<em>Q&amp;A</em> &mdash; <script>x</script>part&nbsp;1', 'Q&A — part 1'],
    ['A [link](https://a.example)', 'A link'],
    ['1. is no list', '1. is no list'],
    ['Vec<T> & co', 'Vec<T> & co'],
    ['snake_case_name', 'snake_case_name'],
  ])('of the title %j is %j', (source, text) => {
    expect(plainTitle(source)).toBe(text);
  });

  it('of an excerpt has its blocks on one line', () => {
    expect(plainText('<p>One</p><p>two</p>\n\n- three\n- *four*')).toBe('One two three four');
  });
});
