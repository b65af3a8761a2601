import { describe, expect, it } from 'vitest';
import { PostUnreadable } from '../../common/content/errors.ts';
import { field } from '../../import/front-matter/fields.ts';
import { splitPage } from '../../import/front-matter/front-matter.ts';

const yaml = (source: string) => splitPage(`---\n${source}\n---\nbody`).frontMatter ?? {};

describe('splitPage', () => {
  it('reads YAML and TOML', () => {
    for (const page of ['---\ntitle: A\n---\nB', '+++\ntitle = "A"\n+++\nB']) {
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
    for (const written of ['---\ndraft: true\n---\nB', '+++\ndraft = true\n+++\nB']) {
      expect(splitPage(before + written)).toMatchObject({ frontMatter: { draft: true }, body: 'B' });
    }
  });

  it.each(['--- \ndraft: true\n---\t\nB', '---\ndraft: true\n...\nB'])('reads %j', (text) => {
    expect(splitPage(text)).toMatchObject({ frontMatter: { draft: true }, body: 'B' });
  });

  it.each([
    ['---\ntitle: A\ndraft: true\n\nText.', /front matter without an end/],
    ['---\ndraft: true\n ---\nText.', /front matter without an end/],
    ['+++\ndraft = true\n---\nText.', /front matter without an end/],
    [' {"draft": true}\n\nText.', /front matter in JSON, which is not supported: write it in YAML or TOML/],
    ['----\ndraft: true\n----\nText.', /begins with "----"/],
    ['--- # a comment\ndraft: true\n---\nText.', /begins with "--- # a comment"/],
    [';;;\n"draft": true\n;;;\nText.', /begins with ";;;", which is not front matter/],
    ['"title":"A",\n"published":false\n;;;\nText.', /begins with ""title":"A",", which is not/],
    ['\nTitle: A\nStatus: draft\n\nText.', /begins with "Title: A", which is not front matter/],
    [':status: draft\n\nText.', /begins with ":status: draft"/],
  ])('never treats malformed front matter as text: %j', (text, reason) => {
    expect(() => splitPage(text)).toThrow(PostUnreadable);
    expect(() => splitPage(text)).toThrow(reason);
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

  it.each([
    ['---\ntitle: a\nbad yaml: [\n---\nx', /^its YAML is broken in line [34]: ./],
    ['+++\ntitle = "a"\nbad = [\n+++\nx', /^its TOML is broken in line [34]: ./],
    ['---\ntitle: a\n"title": b\n---\nx', /^its YAML is broken in line 3: Map keys must be unique$/],
    [`---\n${'a: 1\n'.repeat(60_000)}---\nx`, /^has front matter of more than 64000 characters/],
    [`---\n${'a: 1\n'.repeat(12_000)}---\nx`, /^its YAML is broken in line 3: Map keys must be unique$/],
    ['+++\ntitle = A title\n+++\nx', /^its TOML is broken in line 2: invalid value; put strings in quotes$/],
    [
      '---\ntitle:A\ndate: 2024-01-02\n---\nx',
      /^its YAML is broken in line 2: .*; put a space after the colon$/,
    ],
    ['', /^is empty$/],
    [' \n', /^is empty$/],
    ['+++\na = true\na = false\n+++\nx', /^its TOML is broken in line 3/],
    ['---\n- a\n- b\n---\nx', /^its front matter is not a list of keys/],
    [
      `---\na: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefgh'.replace(/./g, (c) => `${c}: &${c} [${`*${String.fromCharCode(c.charCodeAt(0) - 1)},`.repeat(9)}]\n`)}---\n`,
      /^its YAML is broken/,
    ],
  ])('names the error in %j', (text, reason) => {
    expect(() => splitPage(text)).toThrow(PostUnreadable);
    expect(() => splitPage(text)).toThrow(reason);
  });

  it.each([
    ...['[Visual Studio] x', '*Really* good', '*Really', '& more', '- dash', '| pipe', '> quote'],
    ...['Note: a thing', '@home again', '`code` first', '%percent', '"Quoted" and more', "'Quoted' and more"],
    ...['{{ name }}', '{curly} x', '? question', ': colon', '!Important news', ', comma'],
  ])('says to quote the title %s', (title) => {
    expect(() => yaml(`date: 2024-01-02\ntitle: ${title}`)).toThrow(
      /^its YAML is broken in line 3: .+; put the whole value of "title" in quotes$/,
    );
  });

  it.each(['title: [a', 'title: "a', 'title: a\ntitle: "b"', 'tags: [a, b', 'a: b\n  c: d'])(
    'does not say to quote what is broken otherwise: %j',
    (source) => {
      expect(() => yaml(source)).toThrow(/^its YAML is broken(?!.*in quotes)/);
    },
  );

  it('is not affected by keys that are properties of every object', () => {
    const table = yaml('constructor: a\n__proto__: b');
    expect(field(table, 'constructor')).toBe('a');
    expect(field(table, 'toString')).toBeUndefined();
  });
});
