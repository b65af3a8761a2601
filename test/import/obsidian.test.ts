import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importBlog } from '../../data/imported/import.ts';
import { readBlog } from '../../import/formats.ts';
import { textCases } from '../text-cases.ts';
import { emptyBlog, folderOf, NOW, readFolder } from './folder.ts';

const note = (text: string, facts = '') => `---\ndate: 2024-01-01\n${facts}---\n${text}\n`;

/** A vault of notes: one post, which others link to, and what is no post. */
const VAULT = {
  '.obsidian/app.json': '{}',
  'Other Post.md': note('Text.', 'slug: other\n'),
  'deep/Same.md': note('Text.', 'slug: deep-same\n'),
  'deep/er/Same.md': note('Text.', 'slug: deeper-same\n'),
  'Draft.md': note('Text.', 'draft: true\n'),
  'Unpublished.md': note('Text.', 'publish: false\n'),
  'Private.md': 'No date.',
  'Dateless.md': '---\ntags: [x]\n---\nText.',
  'files/rose red.png': 'png',
  'files/a.pdf': 'pdf',
};

async function read(
  text: string,
  path = 'a.md',
  files: Readonly<Record<string, string>> = VAULT,
  facts = '',
) {
  const { posts, items } = await readFolder(folderOf({ ...files, [path]: note(text, facts) }));
  return {
    body: posts.get(path)?.body ?? '',
    description: posts.get(path)?.description ?? null,
    losses: items.flatMap((item) =>
      item.kind === 'loss' && item.loss.source === `markdown:${path}`
        ? [`${item.loss.what}: ${item.loss.detail}`]
        : [],
    ),
  };
}

describe.each([...textCases(new URL('./obsidian.txt', import.meta.url))])('%s', (_heading, cases) => {
  it.each(cases)('%j', async (text = '', body = '', loss?: string) => {
    expect(await read(text)).toEqual({ body, description: null, losses: loss === undefined ? [] : [loss] });
  });
});

describe('a comment', () => {
  it('is not in the description', async () => {
    expect((await read('a %%secret\n\nsecret%% [[Other Post|b]]\n\n<!--more-->\n\nc')).description).toBe(
      'a b',
    );
  });

  it.each(['a.markdown', 'a.MD', 'a.Markdown'])('is not published from %s', async (path) => {
    expect(await read('a %%secret%%\n\n<!--more-->\n\nb', path)).toEqual({
      body: expect.not.stringContaining('secret'),
      description: 'a',
      losses: [],
    });
  });

  it('is not published from front matter', async () => {
    const facts = [
      'title: "A %%secret%%b"',
      'description: "c %%secret%%"',
      'seo: {title: "%%secret%%d", description: "e%%secret%%"}',
      'category: F %%secret%%',
      'tags: [g %%secret%%]',
      'author: {name: "%%secret%%H"}',
      'slug: "i%%secret%%"',
    ];
    const folder = folderOf({
      ...VAULT,
      'a.md': note('100%', `${facts.join('\n')}\n`),
      'b.md': note('[[a]]', 'title: 100%% sure\n'),
    });
    const { posts } = await readFolder(folder);
    expect(posts.get('a.md')).toMatchObject({
      title: 'A b',
      description: 'c',
      metaTitle: 'd',
      metaDescription: 'e',
      slug: 'i',
      category: { name: 'F' },
      tags: [{ name: 'g' }],
      author: { name: 'H' },
    });
    expect(JSON.stringify(posts.get('a.md'))).not.toContain('secret');
    expect(posts.get('b.md')).toMatchObject({
      title: '100%% sure',
      body: '<p><a href="/posts/i">a</a></p>',
    });
  });

  it.each([
    '`%%a%%`',
    '``a ` %%b%%``',
    '```\n%%a%%\n```',
    '~~~ js\n%%a%%\n\n%%\n~~~',
    '- a\n\n  ```\n  %%b%%\n  ```',
    '> ```\n> %%b%%\n> ```',
  ])('is none in code: %j', async (text) => {
    const { body, losses } = await read(`${text}\n\nend`);
    expect(body).toMatch(/%%[ab]%%[^]*end/);
    expect(losses).toEqual([]);
  });
});

describe('a link', () => {
  it.each([
    ['[[rose red.png]]', '/files/rose%20red.png'],
    ['![[Rose red.png|300]]', '/files/rose%20red.png'],
    ['files/rose red.png', '/files/rose%20red.png'],
    ['../files/rose red.png', '/files/rose%20red.png'],
    ['/rose red.png', '/rose red.png'],
    ['https://a.example/rose red.png', 'https://a.example/rose red.png'],
    ['no.png', null],
  ])('to a picture in front matter is its address: %j', async (cover, address) => {
    const facts = `cover: "${cover}"\ntitle: "[[a|B]] [[ -f c ]]"\ncategory: "[[Other Post]]"\ntags: ["[[d]]", "#e/f", "c#"]\n`;
    const { posts } = await readFolder(folderOf({ ...VAULT, 'deep/a.md': note('Text.', facts) }));
    expect(posts.get('deep/a.md')).toMatchObject({
      cover: address,
      title: 'B [[ -f c ]]',
      category: { name: 'Other Post' },
      tags: [{ name: 'd' }, { name: 'e/f' }, { name: 'c#' }],
    });
  });

  it('names the note in the same folder first', async () => {
    expect((await read('[[Same]]', 'deep/er/a.md')).body).toContain('/posts/deeper-same');
  });

  it.each(['Draft', 'Unpublished', 'Private', 'Dateless', 'No *such* note', 'files/b.pdf'])(
    'to %s is its text, and a loss',
    async (name) => {
      expect(await read(`[[${name}]] [[${name}|b]]`)).toEqual({
        body: `<p>${name} b</p>`,
        description: null,
        losses: [`[[${name}]]`, `[[${name}|b]]`].map((link) => `link to a note that is not a post: ${link}`),
      });
    },
  );
});

describe('other syntax of Obsidian', () => {
  const COMMENT = 'Obsidian comment shown, because there is no .obsidian';

  it.each<readonly [string, ...losses: string[]]>([
    ['%%a%% ==b== d ^e', `${COMMENT}: %%a%%`],
    ['a\n\n%%\nb\n\n- c\n%%\n\n%%d', `${COMMENT}: %% b c %%`],
    ['[[c]] ![[d.png|*e*]]', 'wiki link: [[c]]', 'wiki link: ![[d.png|e]]'],
    ['| a |\n|---|\n| [[b\\|c]] |', 'wiki link: [[b|c]]'],
  ])('is left alone where there is no vault, and named: %j', async (text, ...losses) => {
    for (const path of ['a.md', 'a.markdown']) {
      const one = await read(text, path, {});
      expect(one.losses).toEqual(losses);
      expect(one.body).toMatch(/%%|\[\[/);
    }
  });

  it('is named in front matter where there is no vault', async () => {
    const { losses } = await read('b', 'a.md', {}, 'title: A %%secret%%\nseo_title: "[[c]]"\n');
    expect(losses).toEqual([`${COMMENT}: %%secret%%`, 'wiki link: [[c]]']);
  });

  it.each([
    '`%%a%% [[b]]` <a title="%%a%% [[b]]" href="https://a.example/%%">c</a>',
    '```\n%%a%%\n[[b]]\n```\n\n<pre>%%a%%</pre>',
    '[[1]](https://a.example) [[2]]\n\n[2]: https://b.example',
    'if [[ -f a ]]; a[[]] 100%% sure',
    '\\[[a]] \\[\\[b\\]\\] !\\[[c]]',
  ])('is not named where it is none: %j', async (text) => {
    expect((await read(text, 'a.md', {})).losses).toEqual([]);
  });
});

describe('a vault', () => {
  const text = { 'a.md': note('%%secret%%a'), 'sub/b.md': note('%%secret%%b') };
  const bodies = async (folder: string) =>
    [...(await readFolder(folder)).posts.values()].map(({ body }) => body);

  it('is known by its folder of settings, also an empty one, and named in the report', async () => {
    const folder = folderOf(text);
    mkdirSync(join(folder, '.obsidian'));
    expect(await bodies(folder)).toEqual(['<p>a</p>', '<p>b</p>']);
    const { notes } = await importBlog({
      db: emptyBlog(),
      items: readBlog('markdown', [folder], { now: NOW }),
    });
    expect(notes).toEqual([expect.stringMatching(/^\/.* is an Obsidian vault/)]);
  });

  it('may be a folder in the imported one', async () => {
    const folder = folderOf({ ...text, 'sub/.obsidian/app.json': '{}' });
    expect(await bodies(folder)).toEqual(['<p>%%secret%%a</p>', '<p>b</p>']);
  });

  it('may contain the imported folder, unless a repository is between them', async () => {
    const folder = folderOf({
      '.obsidian/app.json': '{}',
      'x/y/a.md': note('%%secret%%a [[x/y/b]]'),
      'x/y/b.md': note('b'),
    });
    expect(await bodies(join(folder, 'x/y'))).toEqual(['<p>a <a href="/posts/b">x/y/b</a></p>', '<p>b</p>']);
    mkdirSync(join(folder, 'x/.git'));
    expect((await bodies(join(folder, 'x/y')))[0]).toContain('secret');
  });
});
