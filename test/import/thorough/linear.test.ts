import { describe, expect, it } from 'vitest';
import { PostUnreadable } from '../../../common/content/errors.ts';
import { splitPage } from '../../../import/front-matter/front-matter.ts';
import { renderMarkdown } from '../../../common/content/markdown.ts';
import { withoutTemplates } from '../../../import/markdown/losses.ts';
import { noteFields, reportShown, withoutObsidian } from '../../../import/markdown/obsidian.ts';
import { findVaults } from '../../../import/sources/vaults.ts';
import { withParagraphs } from '../../../import/wordpress/paragraphs.ts';
import { boundProcessorTime } from '../../processor-time.ts';
import { cases } from '../../random-cases.ts';
import { atom, entry, item, jsonFeed, readText, rss } from '../feed/feed.ts';
import { bodyOf } from '../wordpress/export.ts';

/**
 * Long texts of opening marks without ends, and similar. Work that grows with the square of the length takes 20
 * seconds of processor time or more, linear work a quarter of one.
 */
const LENGTH = cases(200_000);
const filled = (piece: string, size = LENGTH) => piece.repeat(Math.ceil(size / piece.length));
const growing = (sign: string, size = LENGTH) => {
  let text = '';
  for (let length = 1; text.length < size; length++) text += `${sign.repeat(length)} a `;
  return text;
};

const lose = (): void => undefined;

/** The result, or the reason why the text is left out. */
const readOrRefused = (read: () => string): string => {
  try {
    return read();
  } catch (error) {
    if (error instanceof PostUnreadable) return error.message;
    throw error;
  }
};

boundProcessorTime(20);

describe('templates take time in proportion to their length', () => {
  it.each([
    ...'{% raw %}|{% comment %}|{% for x in y %}{{|{% highlight a %}|{% code(x) %}|{{< highlight a >}}'.split(
      '|',
    ),
    ...'{{/*|{{< a `|{{ "|a{% if x %}|`a|``a |`\n\n|<pre|<pre>|<!--'.split('|'),
    ...'- a\n\n      b\n\n|{|{a}|{: a |{#a |:::a\n'.split('|'),
  ])('many %j', (piece) => {
    expect(readOrRefused(() => withoutTemplates(filled(piece), true, lose))).toBeDefined();
  });

  it.each([
    ['runs of back-ticks that grow', growing('`')],
    ['loops in one another', filled('{% for a in b %}', LENGTH / 2) + filled('{% endfor %}', LENGTH / 2)],
    ['opening elements, and the end of another', `${filled('<pre')}>${filled('</code>')}`],
    ['one long shortcode', `{{<${' '.repeat(LENGTH)}`],
    ['marks within one code block', `\`\`\`\n${filled('{% raw %}{{/*')}\n\`\`\`\n`],
    ['back-ticks within one block', `{% highlight a %}${filled('` ')}{% endhighlight %}`],
  ])('%s', (_what, text) => {
    expect(readOrRefused(() => withoutTemplates(text, true, lose))).toBeDefined();
  });
});

describe("Obsidian's syntax takes time in proportion to its length", () => {
  const note = {
    path: 'a.md',
    vaults: findVaults('/nowhere', ['a.md']),
    addressAt: () => null,
  };

  it.each([
    ...'%%,%%a%%`,%% ``` %%,```a\n,~~~\n,```a\n%%,- - ,> ,> [!a] ,> [!a] ==b==\n,[[,[[a#,[[a|'.split(','),
    ...'![[,<a ,%%%<,[[a]],==,==a,==a ,==`,==`a ,==a=,`a== ,==a== ,^a, ^a,^a \n,===,\\[[,1.'.split(','),
  ])('many %j', (piece) => {
    expect(readOrRefused(() => withoutObsidian(filled(piece), note, lose))).toBeDefined();
    reportShown(filled(piece), filled(piece), lose);
    expect(noteFields({ title: filled(piece) }, note)).toBeDefined();
  });

  it.each([
    ['fences that grow', growing('`').replaceAll(' a ', '\n')],
    ['a long title of a callout', `> [!a] ${filled('==b [[c]]== ')}`],
    ['one highlight with many code spans', `==${filled('`a` ')}`],
  ])('%s', (_what, text) => {
    expect(readOrRefused(() => withoutObsidian(text, note, lose))).toBeDefined();
  });
});

describe('Markdown takes time in proportion to its length', () => {
  const render = (text: string) => renderMarkdown(text, (path) => path);

  it.each([
    ['equal headings', filled('# a\n', LENGTH / 2)],
    ['a heading with a gap', `# a${' '.repeat(LENGTH)}{x`],
    ['a heading with what is no attribute', `# a {.${'a'.repeat(LENGTH)}`],
    ['emphasis without an end', filled('*a _b **c ', LENGTH / 2)],
    ['emphasis at every sign', `a${filled('*', LENGTH / 2)}`],
    ['strong emphasis at every word', filled('**a *b', LENGTH / 4)],
    ['links without an end', filled('[a](b "', LENGTH / 4)],
    ['links without an end, with blanks', filled('![a](b c', LENGTH / 4)],
    ['back-ticks of all lengths', Array.from({ length: 450 }, (_, i) => '`'.repeat(i)).join('a')],
    ['formulas without an end', filled('$$ a ', LENGTH / 4)],
    ['attributes without an end', filled('{: a="', LENGTH / 4)],
    ['quotes', filled(`"'a' `, LENGTH / 2)],
    ['tables', filled('|a|b\n', LENGTH / 2)],
    ['code in a table', `|a${filled('` |', LENGTH / 4)}`],
    ['definitions of links', `${filled(`[a]: b "c\n\n`, LENGTH / 2)}${filled('[a] ', 500)}`],
    ['a definition that is long', `[a]: ${filled(`b "`, LENGTH / 4)}\n\n${filled('[a] ', 500)}`],
    ['task lists', filled('- [ ] a\n', LENGTH / 4)],
    ['alerts', filled('> [!NOTE]\n> a\n\n', LENGTH / 4)],
    ['names of emoji', filled(':tada: :a', LENGTH / 4)],
    ['footnotes without an end', `[^x]: x\n\n[^x] ${filled('[^', LENGTH / 2)}`],
    [
      'references to footnotes',
      Array.from({ length: 1_000 }, (_, i) => `[^${i}]\n\n[^${i}]: x\n\n`).join(''),
    ],
  ])('%s', (_what, text) => {
    expect(readOrRefused(() => render(text)).length).toBeGreaterThan(40);
  });

  it('more than 2,000 footnotes are reported', () => {
    expect(() => render(filled('[^x]\n\n[^x]: x\n\n', 100_000))).toThrow(/more than 2000 footnotes/);
  });

  it('a definition that is used too often is reported', () => {
    expect(() => render(`[a]: /${'b'.repeat(100_000)}\n\n${'[a]'.repeat(30_000)}`)).toThrow(
      /expands to more than/,
    );
  });

  it.each([
    ['quotes', `${'> '.repeat(101)}lost`],
    ['lists', `${'- '.repeat(101)}lost`],
    ['emphasis', `${'*a '.repeat(101)}lost${' b*'.repeat(101)}`],
    ['footnotes', `[^x]\n\n${filled('[^x]: ', 200_000)}lost`],
  ])("%s nested deeper than the parser's limit are reported, and no text is lost", (_what, text) => {
    expect(() => render(text)).toThrow(PostUnreadable);
    expect(() => render(text)).toThrow(/more than 100 deep/);
  });
});

describe('front matter', () => {
  it.each([
    ['YAML lists', `---\na: ${'['.repeat(60_000)}\n---\n`],
    ['YAML lists with an end', `---\na: ${'['.repeat(30_000)}${']'.repeat(30_000)}\n---\n`],
    ['YAML tables', `---\na: ${'{a: '.repeat(10_000)}\n---\n`],
    ['YAML lists without brackets', `---\na:\n  ${'- '.repeat(20_000)}a\n---\n`],
    ['YAML keys', `---\n${'? '.repeat(20_000)}a\n---\n`],
    ['TOML lists', `+++\na = ${'['.repeat(30_000)}${']'.repeat(30_000)}\n+++\n`],
    ['TOML keys', `+++\n${'a.'.repeat(30_000)}b = 1\n+++\n`],
  ])('with nested %s is reported', (_what, text) => {
    expect(() => splitPage(text)).toThrow(PostUnreadable);
    expect(() => splitPage(text)).toThrow(/deep/);
  });

  it('of more than 64,000 characters is reported', () => {
    for (const [open, close] of [
      ['---', '---'],
      ['+++', '+++'],
    ] as const) {
      expect(() => splitPage(`${open}\n${filled('# a\n')}${close}\ntext`)).toThrow(
        /more than 64000 characters/,
      );
    }
    expect(splitPage(`a: b\n${'    a: b\n'.repeat(45)}!`).frontMatter).toBeNull();
  });
});

describe('feeds take time in proportion to their length', () => {
  /** Opening tags without ends, of a megabyte. */
  const many = (piece: string) => filled(piece, 1_000_000);
  const html = (text: string) => rss(item(`<content:encoded xml:base="https://a.example/">${text}`));

  it.each([
    ['open elements', atom(many('<a>'))],
    ['namespaces in one another', atom(many('<a xmlns:b="http://www.w3.org/2005/Atom">'))],
    ['namespaces of one element', atom(`<a ${filled('xmlns:a="u" ')}>${many('<b xmlns:c="u"/>')}</a>`)],
    ['entries without an end', atom(many('<entry><id>a</id>'))],
    ['elements of one entry', atom(entry(many('<a/>')))],
    ['XHTML in itself', atom(entry(`<content type="xhtml">${many('<b>')}`))],
    ['sections without an end', atom(entry(many('<![CDATA[')))],
    ['entities', atom(entry(`<content>${many('&amp;')}${many('&')}</content>`))],
    ['addresses in a text', html(`<![CDATA[${many('<a href="')}]]></content:encoded>`)],
    ['attributes of an element', html(`${many('&lt;a href="x" ')}</content:encoded>`)],
    ['lines of a feed', html(`<![CDATA[${many('<p>The post <a ')}]]></content:encoded>`)],
    ['blank lines', jsonFeed([{ content_html: '', content_text: `a${many('\n \t')}b` }])],
    ['spaces in a title', jsonFeed([{ title: `a${many(' ')}b` }])],
    ['a date', jsonFeed([{ date_published: many('2020-01-') }])],
  ])('%s', async (_what, content) => {
    expect((await readText(content)).items.length).toBeGreaterThan(0);
  });
});

describe('texts of WordPress take time in proportion to their length', () => {
  const SIZE = 100_000;
  const names = Array.from({ length: SIZE }, (_, i) => `[a${i}]`).join('');

  it.each([
    ...'<!-- wp:block {|<!-- wp:embed "url":"x" |<!-- wp:shortcode -->[a]|<!-- more|<h1>|[a |[a]|[code]|[['.split(
      '|',
    ),
    ...`<pre>|<!--|<a |[x y='|[x y="1"]|\n |https://a.example\n`.split('|'),
  ])('many %j', async (text) => {
    expect(await bodyOf(text.repeat(SIZE))).toBeDefined();
  });

  it.each([names, `${'[a]'.repeat(SIZE)}[/a]`, `${'<pre'.repeat(SIZE)}>`, `a${'\n\u00A0'.repeat(SIZE)}b`])(
    'shortcodes and lines without an end, %#',
    async (text) => expect(await bodyOf(text)).toBeDefined(),
  );

  it.each('<|<a |<b>|<b>\n\n|<b>a</i>|<p>|</p>|<pre>|<div>|<b><div>| \n|a\n\n'.split('|'))(
    'paragraphs of many %j',
    (text) => expect(withParagraphs(text.repeat(SIZE))).toBeDefined(),
  );
});
