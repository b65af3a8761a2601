/**
 * The documented templates make feeds that an import can read. Each is run unchanged by its generator.
 */
import { spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import type { ImportedPost } from '../../import/imported-item.ts';
import { readPaths } from '../import/feed/feed.ts';
import { addFiles, folderOf } from '../import/folder.ts';
import { read, ROOT } from './documents.ts';
import { TEMPLATES, templateOf } from './feed-templates.ts';

/** A site with these files and the project's packages. */
function siteOf(files: Readonly<Record<string, string>>): string {
  const site = folderOf(files);
  symlinkSync(join(ROOT, 'node_modules'), join(site, 'node_modules'));
  return site;
}

function run(site: string, ...command: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: site, encoding: 'utf8' });
  expect(status, stdout + stderr).toBe(0);
}

const Versions = v.optional(v.record(v.string(), v.string()));
const Manifest = v.object({ dependencies: Versions, devDependencies: Versions });

const BODY = 'Some *text* & a [link](/b/).\n';

/** What every template must give of the post `one`. */
function expectPost(post: ImportedPost | undefined): void {
  expect(post).toMatchObject({
    title: 'One & <two>',
    description: 'About "one".',
    category: { name: 'News' },
    tags: [{ name: 'C++' }, { name: 'Other' }],
    author: { name: 'Ada L.' },
    status: 'published',
  });
  expect(Date.parse(post?.publishedAt ?? '')).toBe(Date.parse('2024-03-01T08:00:00Z'));
  expect(post?.url).toMatch(/^https:\/\/blog\.example\/.*one\/?$/);
  expect(post?.body).toContain('<p>Some <em>text</em> &amp; a <a href="/b/">link</a>.</p>');
}

describe(TEMPLATES, () => {
  it('has a template for Eleventy', async () => {
    const fields = `title: One & <two>\ndescription: 'About "one".'\ndate: 2024-03-01T10:00:00+02:00\nauthor: Ada L.\ncategory: News\n`;
    const site = siteOf({
      'posts/posts.json': '{ "tags": ["post"] }',
      'posts/one.md': `---\n${fields}tags: [C++, Other]\n---\n${BODY}`,
      'posts/draft.md': '---\ntitle: Draft\ndraft: true\n---\nSecret.',
      'posts/later.md': '---\ntitle: Later\ndate: 2100-01-01\n---\nLater.',
      'feed.11ty.mjs': templateOf('eleventy.mjs'),
    });
    run(site, 'node_modules/@11ty/eleventy/cmd.cjs', '--quiet');
    const { posts, skipped, lost } = await readPaths(join(site, '_site/feed.json'));
    expect(new Map(posts.map(({ slug, status }) => [slug, status]))).toEqual(
      new Map([
        ['one', 'published'],
        ['later', 'scheduled'],
      ]),
    );
    expectPost(posts.find(({ slug }) => slug === 'one'));
    expect([...skipped, ...lost]).toEqual([]);
  });

  it('has a template for Hexo', async () => {
    const fields = `title: One & <two>\ndescription: 'About "one".'\ndate: 2024-03-01 10:00:00\ncategories: [News, C++]\ntags: [Other]\n`;
    const site = siteOf({
      'package.json': '{ "hexo": { "version": "" }, "dependencies": { "hexo-renderer-marked": "*" } }',
      '_config.yml':
        'title: My blog\nurl: https://blog.example\nauthor: Ada L.\ntimezone: Africa/Cairo\npermalink: :year/:title/\ntheme: plain\n',
      'themes/plain/layout/index.swig': '',
      'source/_posts/one.md': `---\n${fields}---\n${BODY}`,
      'source/_posts/hidden.md': '---\ntitle: Hidden\npublished: false\n---\nSecret.',
      'source/_drafts/draft.md': '---\ntitle: Draft\n---\nSecret.',
      'scripts/feed.js': templateOf('hexo.js'),
    });
    run(site, 'node_modules/hexo/bin/hexo', 'generate', '--silent');
    const { posts, skipped, lost } = await readPaths(join(site, 'public/feed.json'));
    expect(posts).toHaveLength(1);
    expectPost(posts[0]);
    expect([...skipped, ...lost]).toEqual([]);
  });

  it('has a template for Next.js, which is a function that returns the feed', async () => {
    const post = {
      ...{
        slug: 'one',
        title: 'One & <two>',
        description: 'About "one".',
        date: '2024-03-01T10:00:00+02:00',
      },
      ...{ tags: ['C++', 'Other'], category: 'News', author: 'Ada L.' },
      html: '<p>Some <em>text</em> &amp; a <a href="/b/">link</a>.</p>',
    };
    const site = folderOf({
      'package.json': '{ "type": "module" }',
      'lib/posts.js': `export const allPosts = async () => ${JSON.stringify([post, { ...post, slug: 'draft', draft: true }])};`,
      // A bundler adds the extension.
      'app/feed.json/route.js': templateOf('nextjs.js').replace("'../../lib/posts'", "'../../lib/posts.js'"),
    });
    const { GET }: { GET: () => Promise<Response> } = await import(
      pathToFileURL(join(site, 'app/feed.json/route.js')).href
    );
    addFiles(site, { 'feed.json': await (await GET()).text() });
    const { posts } = await readPaths(join(site, 'feed.json'));
    expect(posts).toHaveLength(1);
    expectPost(posts[0]);
  });

  it('names the versions that the tests run', () => {
    const document = read('docs/owners/feed-templates.md');
    const manifestOf = (generator: string) => `test/engines/generators/${generator}/package.json`;
    for (const [name, manifest, own] of [
      ['Eleventy', 'package.json', '@11ty/eleventy'],
      ['Hexo', 'package.json', 'hexo'],
      ['Astro', manifestOf('astro'), 'astro'],
      ['Docusaurus', manifestOf('docusaurus'), '@docusaurus/core'],
      ['Next.js', manifestOf('nextjs'), 'next'],
    ] as const) {
      const { dependencies, devDependencies } = v.parse(Manifest, JSON.parse(read(manifest)));
      const version = { ...dependencies, ...devDependencies }[own];
      expect(document).toMatch(new RegExp(`^\\| ${name} \\|.*\\| ${version}, in the tests \\|$`, 'm'));
    }
  });
});
