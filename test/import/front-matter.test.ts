import { describe, expect, it } from 'vitest';
import { PostUnreadable } from '../../common/content/errors.ts';
import { field, flagField, textField } from '../../import/front-matter/fields.ts';
import { splitPage } from '../../import/front-matter/front-matter.ts';

const yaml = (source: string) => splitPage(`---\n${source}\n---\nbody`).frontMatter ?? {};

describe('splitPage', () => {
  it('reads YAML, TOML and JSON', () => {
    for (const page of [
      '---\ntitle: A\n---\nB',
      '+++\ntitle = "A"\n+++\nB',
      '---json\n{"title": "A"}\n---\nB',
    ]) {
      expect(splitPage(page)).toMatchObject({ frontMatter: { title: 'A' }, body: 'B' });
    }
  });

  it('distinguishes missing front matter from empty', () => {
    expect(splitPage('Just text.')).toMatchObject({ frontMatter: null, body: 'Just text.' });
    expect(splitPage('---\n---\nText')).toMatchObject({ frontMatter: {}, body: 'Text' });
    expect(splitPage('---\n# only a comment\n---\n')).toMatchObject({ frontMatter: {}, body: '' });
    expect(splitPage('text\n\n---\na: b\n---\n').frontMatter).toBeNull();
  });

  it.each([
    ['a blank line', '\n'],
    ['blank lines with spaces', ' \n\t\n  \n'],
    ['a space', ' '],
    ['a no-break space', '\u00A0\n'],
    ['a zero-width space', '\u200B'],
    ['a second byte order mark', '\uFEFF\n'],
    ['a comment', '<!-- about\nthis -->\n'],
  ])('reads it after %s, which some generators allow', (_what, before) => {
    for (const written of ['---\ndraft: true\n---\nB', '+++\ndraft = true\n+++\nB', '{"draft": true}\nB']) {
      expect(splitPage(before + written)).toMatchObject({ frontMatter: { draft: true }, body: 'B' });
    }
  });

  it.each([
    '--- \ndraft: true\n---\t\nB',
    '---yaml\ndraft: true\n---\nB',
    '--- # a comment\ndraft: true\n...\nB',
    '{\n\t"draft": true,\n\t"text": "a } b \\" c"\n}\nB',
  ])('reads %j', (text) => {
    expect(splitPage(text)).toMatchObject({ frontMatter: { draft: true }, body: 'B' });
  });

  it.each([
    ['---\ntitle: A\ndraft: true\n\nText.', /front matter without an end/],
    ['---\ndraft: true\n ---\nText.', /front matter without an end/],
    ['+++\ndraft = true\n---\nText.', /front matter without an end/],
    ['{"draft": true\n\nText.', /front matter in JSON without an end/],
    ['----\ndraft: true\n----\nText.', /begins with "----"/],
    ['Text.\n\n---\ndraft: true\n---\nMore.', /text before its front matter/],
    ['Title: A\nStatus: draft\n\nText.', /begins with lines like front matter: put "---" around them/],
    ['Author: A\nDate: 2020-01-01\n  more\n \nText.', /begins with lines like front matter/],
    ['Title: A', /begins with lines like front matter/],
    ['title: A\ndraft: true\n---\nText.', /does not begin with a line "---"/],
    ['\ntags:\n  - a\n- b\ndraft: true\n---\nText.', /does not begin with a line "---"/],
    [';;;\n"title": "A",\n"draft": true\n;;;\nText.', /does not begin with a line "---"/],
    ['\u2014--\ndraft: true\n\u2014--\nText.', /does not begin with a line "---"/],
  ])('never treats malformed front matter as text: %j', (text, reason) => {
    expect(() => splitPage(text)).toThrow(PostUnreadable);
    expect(() => splitPage(text)).toThrow(reason);
  });

  it('leaves examples of front matter in a text unchanged', () => {
    expect(splitPage('Note: this is text.\n\nMore of it.\n\n---\n').frontMatter).toBeNull();
    expect(splitPage('Text.\n\n```\n---\ndraft: true\n---\n```\n').frontMatter).toBeNull();
  });

  it('keeps numbers and dates as written', () => {
    expect(yaml('version: 1.10\nday: 2015-03-17\ntime: 2016-04-19 10:26:16 -0700')).toMatchObject({
      version: '1.10',
      day: '2015-03-17',
      time: '2016-04-19 10:26:16 -0700',
    });
    const toml = splitPage('+++\na = 2023-01-31\nb = 2023-01-31T10:00:00+08:00\nc = 7\n+++\n').frontMatter;
    expect(toml?.['a']).toBe('2023-01-31');
    expect(toml?.['b']).toMatch(/^2023-01-31T10:00:00(?:\.000)?\+08:00$/);
    expect(toml?.['c']).toBe('7');
  });

  it('accepts quoted text that continues at the start of a line, as Jekyll and 11ty do', () => {
    expect(yaml("title: \"One\ntwo\"\ntags:\n- a\nexcerpt: 'it''s\n\nthree'")).toMatchObject({
      title: 'One two',
      excerpt: "it's\nthree",
      tags: ['a'],
    });
  });

  it.each([
    ['---\ntitle: a\nbad yaml: [\n---\nx', /^its YAML is broken in line [34]: ./],
    ['+++\ntitle = "a"\nbad = [\n+++\nx', /^its TOML is broken in line [34]: ./],
    ['---\ntitle: a\n"title": b\n---\nx', /^has the key "title" twice, again in line 3: remove one$/],
    [`---\n${'a: 1\n'.repeat(60_000)}---\nx`, /^has front matter of more than 64000 characters/],
    [`---\n${'a: 1\n'.repeat(12_000)}---\nx`, /^has the key "a" twice, again in line 3: remove one$/],
    ['', /^is empty$/],
    [' \n', /^is empty$/],
    ['---\na: {b: 1, b: 2}\n---\nx', /^has the key "b" twice, again in line 2: remove one$/],
    ['{"draft": true, "draft": false}\nx', /^has the key "draft" twice, again in line 1: remove one$/],
    ['+++\na = true\na = false\n+++\nx', /^its TOML is broken in line 3/],
    ['---\n- a\n- b\n---\nx', /^its front matter is not a list of keys/],
    ['---\na: *b\n---\nx', /^its YAML is broken: .*; quote a value that begins with \*$/],
    ['---\ntitle: Foo: bar\n---\nx', /line 2: the value of "title" has a colon: quote the value$/],
    ['---\ntitle: Foo\n date: 2024\n---\nx', /line 2: the line after "title" is indented too far/],
    ['---\ntitle Foo\ndate: 2024\n---\nx', /line 2: write "key: value", with a space after the colon$/],
    ['---\ntags:\n\t- a\n---\nx', /line 3: it is indented with a tab: use spaces$/],
    ['---\ndate: 2024\ntitle: "Foo\n---\nx', /a quote is not closed in the value of "title": close it$/],
    ['---\ntitle: @foo\n---\nx', /line 2: a value cannot begin with @: quote the value$/],
    ['---\ntitle: "A" b\n---\nx', /line 2: text follows the quoted value of "title": quote all of it$/],
    ['---\ntitle: "C:\\dir"\n---\nx', /line 2: write "\\\\" for a backslash within double quotes/],
    ['---\ntags: [a\ndate: 2024\n---\nx', /a list in brackets is not closed: close it$/],
    [
      `---\na: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefgh'.replace(/./g, (c) => `${c}: &${c} [${`*${String.fromCharCode(c.charCodeAt(0) - 1)},`.repeat(9)}]\n`)}---\n`,
      /^its YAML is broken/,
    ],
  ])('names the error in %j', (text, reason) => {
    expect(() => splitPage(text)).toThrow(PostUnreadable);
    expect(() => splitPage(text)).toThrow(reason);
  });

  it('is not affected by keys that are properties of every object', () => {
    const table = yaml('constructor: a\n__proto__: b');
    expect(field(table, 'constructor')).toBe('a');
    expect(field(table, 'toString')).toBeUndefined();
  });
});

it.each([
  '---\ndraft: true\ndraft: false\ntitle: A\n---\nx',
  '---\ntitle: A\n"draft": false\nDraft: true\n---\nx',
  '---\npublished: false\ntitle: A\npublished: true\n---\nx',
  '+++\ndraft = true\ntitle = "A"\ndraft = false\n+++\nx',
])('a post is a draft if it says twice whether it is one: %j', (written) => {
  const { frontMatter, repeated, body } = splitPage(written);
  expect(repeated).toMatch(/^(?:draft|published)$/);
  expect(frontMatter).toEqual({ draft: true, title: 'A' });
  expect(body).toBe('x');
});

describe('fields', () => {
  it('are found in any spelling, at any depth', () => {
    const table = yaml('Title: A\nseoTitle: B\nSEO:\n  Meta-Title: C');
    expect(textField(table, 'title')).toBe('A');
    expect(textField(table, 'seo_title')).toBe('B');
    expect(textField(table, 'nothing', 'seo.meta_title')).toBe('C');
    expect(textField(table, 'title.deeper')).toBeNull();
  });

  it("accept YAML 1.1's words for yes and no", () => {
    const table = yaml('a: true\nb: "yes"\nc: no\nd: maybe\ne: 2020-01-01');
    expect(['a', 'b', 'c', 'd', 'e', 'f'].map((key) => flagField(table, key))).toEqual([
      true,
      true,
      false,
      null,
      null,
      null,
    ]);
  });
});

it('accept a closing bracket at the start of a line, and tabs inside lists of YAML', () => {
  const { frontMatter } = splitPage('---\ntags: [ \n\t"a",\n\t"b"\n]\nmore: {\n  c: 1\n}\n---\n');
  expect(frontMatter).toEqual({ tags: ['a', 'b'], more: { c: '1' } });
});
