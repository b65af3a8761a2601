import { describe, expect, it } from 'vitest';
import { plainLine, renderMarkdown } from '../../common/content/markdown.ts';

const render = (source: string) => renderMarkdown(source, (written) => written.replace(/^img/, '/img'));

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
    ['A <script>x</script>, <!-- a comment -->', 'A <script>x</script>, <!-- a comment -->'],
    ['The `<style>` element', 'The <style> element'],
    ['\u202Etxt.exe\u2066 \u202Abc\u2069', 'txt.exe bc'],
    ['A [link](https://a.example)', 'A link'],
    ['snake_case_name', 'snake_case_name'],
    ['Using <style> & <title>\n\nin HTML', 'Using <style> & <title> in HTML'],
    ['<title> and <dyn Error> at the start', '<title> and <dyn Error> at the start'],
    ['<p>One</p><p>two</p>\n\n- three\n- *four* </div>', 'One two three four </div>'],
  ])('of the description %j is %j', (source, text) => {
    expect(plainLine(source)).toBe(text);
  });
});

describe("GitHub's Markdown", () => {
  it('has task lists, of characters', () => {
    expect(render('- [x] a\n- [ ] b [x] c\n\n[x] d')).toBe(
      '<ul>\n<li>☑ a</li>\n<li>☐ b [x] c</li>\n</ul>\n<p>[x] d</p>\n',
    );
  });

  it('has alerts, whose first line is only their kind', () => {
    expect(render('> [!Warning]\n> *a*\n>\n> b')).toBe(
      '<blockquote>\n<p><strong>Warning</strong></p>\n<p><em>a</em></p>\n<p>b</p>\n</blockquote>\n',
    );
    expect(render('> [!TIP]\n>\n> - a')).toMatch(/<strong>Tip<\/strong><\/p>\n<ul>/);
    expect(render('> [!NOTE] a\n\n[!NOTE]\n\n> [!OTHER]\n> b')).not.toContain('<strong>');
  });

  it('has names of emoji, but not in code, and no smileys', () => {
    expect(render(':tada: `:tada:` :) :unknown: 10:30:45')).toBe(
      '<p>🎉 <code>:tada:</code> :) :unknown: 10:30:45</p>\n',
    );
  });
});
