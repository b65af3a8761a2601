/** Real blogs: all of a source comes in or is named, with the texts of other programs, and once. */
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Parser } from 'htmlparser2';
import { marked } from 'marked';
import { describe, expect, it } from 'vitest';
import { htmlToText } from '../../../common/content/html-text.ts';
import { tidyText } from '../../../common/content/text.ts';
import { importBlog } from '../../../data/imported/import.ts';
import type { FormatName } from '../../../import/format-names.ts';
import { FORMATS } from '../../../import/formats.ts';
import { field } from '../../../import/front-matter/fields.ts';
import { splitPage } from '../../../import/front-matter/front-matter.ts';
import type { ImportedItem } from '../../../import/imported-item.ts';
import { lacks } from '../../lacks.ts';
import { textCases } from '../../text-cases.ts';
import { dump, emptyBlog, NOW, readAll, sorted } from '../folder.ts';
import { HAS_REAL_BLOGS, readRealBlog, REAL_BLOGS } from '../real-blogs.ts';

/**
 * How many posts a blog has; how many are hidden, cannot be read, and are none; and the losses of Ghost's. Most of 18f-blog's
 * unread ones quote texts that go on at the beginning of a line, which YAML forbids.
 */
const CASES = textCases(new URL('blogs.txt', import.meta.url));
const blogsOf = (format: FormatName) =>
  (CASES.get(format) ?? []).map(([path = '', counts = '']) => {
    const [posts = 0, hidden = 0, unread = 0, none = 0, losses = 0] = counts.split(' ').map(Number);
    return { format, path, posts, hidden, unread, none, losses };
  });
const BLOGS = (['markdown', 'wordpress', 'ghost'] as const).flatMap(blogsOf);

/** The tables of an export of Ghost, found without the importer: the innermost object with posts or users. */
function tablesOf(path: string): Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> {
  const json = JSON.parse(readFileSync(join(REAL_BLOGS, path), 'utf8'));
  const [wrapped = json] = json.db ?? [];
  return wrapped.data.data ?? wrapped.data;
}

/** How many things a source has, counted without the importer: files, items of WordPress, rows of Ghost. */
function countIn(format: string, path: string): number {
  const at = join(REAL_BLOGS, path);
  if (format === 'ghost') return tablesOf(path)['posts']?.length ?? 0;
  const files = statSync(at).isDirectory()
    ? globSync('**', { cwd: at })
        .map((name) => join(at, name))
        .filter((name) => statSync(name).isFile())
    : [at];
  if (format === 'markdown') return files.length;
  return files
    .map((file) => readFileSync(file, 'utf8').split('<wp:post_type>').length - 1)
    .reduce((a, b) => a + b);
}

/** What only a generator or WordPress could render, in a text without code. */
const UNRENDERED: Readonly<Record<string, RegExp>> = {
  markdown: /\{\{[<%/].{0,40}|\{\{ ?["'\w.]+(?: ?\||\().{0,40}|\{%.{0,40}/g,
  wordpress: /<!--.{0,40}|\[\/?(?:caption|gallery|embed|sourcecode|:).{0,40}/g,
};

describe.each(BLOGS)('the real blog of $format, $path', ({ format, path, ...expected }) => {
  const { posts, hidden, unread, none, losses } = expected;
  const there = it.skipIf(lacks('real blogs', existsSync(join(REAL_BLOGS, path))));

  there('comes in whole: each thing is a post, hidden, or named', async () => {
    const items = await readRealBlog(format, path);
    const skipped = items.flatMap((item) => (item.kind === 'skipped' ? [item.skipped] : []));
    const countOf = (isNone: boolean) =>
      skipped
        .filter(({ noPost = false }) => noPost === isNone)
        .reduce((sum, { count = 1 }) => sum + count, 0);
    const those = (kind: ImportedItem['kind']) => items.filter((item) => item.kind === kind).length;
    const counts = [those('post'), those('hidden'), countOf(false), countOf(true)];
    expect(counts).toEqual([posts, hidden, unread, none]);
    expect(posts + hidden + unread + none).toBe(countIn(format, path));
    if (format === 'ghost') expect(those('loss')).toBe(losses);
  });

  there('leaves nothing in its texts that only its own system renders', async () => {
    for (const [source, { body }] of sorted(await readRealBlog(format, path)).posts) {
      const prose = body.replace(/<(pre|code|script|style)\b[^]*?<\/\1>/g, '');
      const shown = format === 'markdown' ? prose.replace(/<!--[^]*?-->/g, '') : prose;
      expect(shown.match(UNRENDERED[format] ?? /(?!)/g) ?? [], source).toEqual([]);
    }
  });

  there('changes nothing when it is imported again', async () => {
    const db = emptyBlog();
    // Some have no posts.
    const run = () =>
      importBlog({
        db,
        items: FORMATS[format].read(join(REAL_BLOGS, path), { now: NOW, plain: true }),
        force: true,
      });
    const first = await run();
    const before = dump(db);
    const second = await run();
    expect(dump(db) === before).toBe(true); // Two megabytes would make a poor failure message.
    expect(second.unchanged).toBe(first.imported.posts);
    expect(second.renamed).toEqual(first.renamed);
    expect(first.imported.posts).toBe(posts);
  });
});

describe.skipIf(lacks('real blogs', HAS_REAL_BLOGS))('the texts of real blogs', () => {
  it.each(blogsOf('ghost'))(
    'are those of Ghost in $path, with titles, dates and tags',
    async ({ path, posts: count }) => {
      const { tags = [], posts_tags: links = [], posts: rows = [] } = tablesOf(path);
      let found = 0;
      for (const post of (await readAll('ghost', [join(REAL_BLOGS, path)])).posts) {
        const [row, other] = rows.filter(
          (one) =>
            one &&
            (one['title'] || post.title) === post.title &&
            (!one['slug'] || JSON.stringify(one['slug']).replace(/"/g, '').replace(' ', '-') === post.slug),
        );
        if (row === undefined) continue;
        found += 1;
        const { published_at: date } = row;
        const moment =
          typeof date === 'number' ? date : Date.parse(String(date).replace(/^(\S+) (\S+)$/, '$1T$2Z'));
        expect(Date.parse(post.publishedAt)).toBe(Math.floor(moment / 1000) * 1000);
        const own = links
          .filter(({ post_id: id }) => id === row['id'])
          .sort((a, b) => Number(a['sort_order'] ?? 0) - Number(b['sort_order'] ?? 0));
        const names = own.flatMap(({ tag_id: id }) =>
          tags.filter((tag) => tag['id'] === id).map((tag) => tag['name'] || tag['slug']),
        );
        if (other === undefined && rows.filter((one) => one?.['id'] === row['id']).length === 1)
          expect(post.tags.map(({ name }) => name)).toEqual(names);
        expect(htmlToText(post.body)).toContain(htmlToText(String(row['html'])).slice(0, 200));
      }
      expect(found).toBe(count);
    },
  );

  it('have the images that stand in another file of the export', async () => {
    const folder = 'migrate-wp-xml-fixtures/packages/mg-wp-xml/test/fixtures/multiple';
    const { posts } = await readAll('wordpress', [join(REAL_BLOGS, folder)]);
    expect(posts.map(({ cover }) => cover?.slice(0, 28))).toEqual(
      Array(2).fill('https://images.unsplash.com/'),
    );
  });

  it('are not taken from what only looks like an export', async () => {
    const files = globSync('{migrate-lexical-fixtures/**/*,ghost-v2-v3-fixtures/**/broken}.json', {
      cwd: REAL_BLOGS,
    });
    expect(files).toHaveLength(12);
    for (const file of files)
      await expect(readAll('ghost', [join(REAL_BLOGS, file)]), file).rejects.toThrow(file);
  });

  /** Posts that the other program reads against CommonMark: it begins a list at `2016.`, or ends a link at a back-tick. */
  const OTHERWISE = ['content/Core-team-membership-updates.md', 'content/Rust-1.40.0.md'];
  /** Text that only this project's reader knows: footnotes, and the marks around examples of templates. */
  const UNKNOWN = /\[\^[^\]\n]+\]|\{%-?\s*raw/;

  it.each([
    ['rust-blog', 339],
    ['18f-blog', 40],
    ['abulimov-hugo-ru', 94],
    ['jekyll-blog', 70],
    ['jekyll-test-posts-a', 25],
    ['eslint-blog', 130],
    ['tabi-zola-multilang', 15],
    ['migrate-jekyll-fixtures', 12],
  ])('are what another program for Markdown shows: %s, of %d posts without a loss', async (blog, least) => {
    const items: readonly ImportedItem[] = await readRealBlog('markdown', blog);
    const lossy = items.map((item) =>
      item.kind === 'loss' && item.loss.what !== 'cover' ? item.loss.source : '',
    );
    const posts = [...sorted(items).posts].filter(([, { source }]) => !lossy.includes(source));
    expect(posts.length).toBeGreaterThanOrEqual(least);
    let compared = 0;
    for (const [path, { body, title }] of posts) {
      const page = splitPage(tidyText(readFileSync(join(REAL_BLOGS, blog, path), 'utf8')));
      const written = page.body;
      // The heading that is its title is not in the body.
      const above =
        field(page.frontMatter ?? {}, 'title') || !/^\s*#/.test(written) ? '' : `<h1>${title}</h1>`;
      if (UNKNOWN.test(written) || OTHERWISE.includes(path)) continue;
      const html = /\.html?$/.test(path) ? written : marked.parse(written, { async: false });
      const [ours, theirs] = [charactersOf(above + body), charactersOf(html)];
      let at = 0;
      while (at < ours.length && ours[at] === theirs[at]) at += 1;
      expect(ours.slice(at, at + 50), path).toBe(theirs.slice(at, at + 50)); // What differs first.
      compared += 1;
    }
    expect(compared).toBeGreaterThanOrEqual(posts.length / 2);
  });
});

/** The visible characters, without emoji, their names and ticked boxes. */
function charactersOf(html: string): string {
  let text = '';
  const parser = new Parser({ ontext: (part) => void (text += part) });
  parser.end(html);
  return text
    .replace(/:[a-z\d_+-]+:/g, '')
    .replace(/(?![\d#*])\p{Emoji}|\p{Emoji_Component}(?<![\d#*])|[☐☑]/gu, '')
    .replace(/\s+/g, '');
}
