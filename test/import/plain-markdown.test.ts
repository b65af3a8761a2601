import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Parser } from 'htmlparser2';
import { marked } from 'marked';
import { describe, expect, it } from 'vitest';
import { tidyText } from '../../common/content/text.ts';
import { splitPage } from '../../import/front-matter/front-matter.ts';
import type { ImportedItem } from '../../import/imported-item.ts';
import { lacks } from '../lacks.ts';
import { HAS_REAL_BLOGS, readRealBlog, REAL_BLOGS } from './real-blogs.ts';

/** Blogs, and how many of their posts are read without a loss at least. */
const BLOGS = [
  ['rust-blog', 339],
  ['18f-blog', 40],
  ['abulimov-hugo-ru', 94],
  ['jekyll-blog', 70],
  ['jekyll-test-posts-a', 25],
  ['eslint-blog', 130],
  ['tabi-zola-multilang', 15],
  ['migrate-jekyll-fixtures', 12],
] as const;

/** Posts that the other program reads against CommonMark: it begins a list at `2016.`, or ends a link at a back-tick. */
const OTHERWISE = ['content/Core-team-membership-updates.md', 'content/Rust-1.40.0.md'];

/** Text that only this project's reader knows: footnotes, and the marks around examples of templates. */
const UNKNOWN = /\[\^[^\]\n]+\]|\{%-?\s*raw/;

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

/** What differs first; null: nothing. */
function difference(ours: string, theirs: string): [ours: string, theirs: string] | null {
  if (ours === theirs) return null;
  let at = 0;
  while (ours[at] === theirs[at]) at += 1;
  return [ours.slice(at, at + 50), theirs.slice(at, at + 50)];
}

async function postsOf(blog: string): Promise<{ path: string; body: string }[]> {
  const items: readonly ImportedItem[] = await readRealBlog('markdown', blog);
  const isOfText = (item: ImportedItem) => item.kind === 'loss' && item.loss.what !== 'cover';
  const lossy = new Set(
    items.map((item) => (item.kind === 'loss' && isOfText(item) ? item.loss.source : '')),
  );
  return items
    .flatMap((item) => (item.kind === 'post' && !lossy.has(item.post.source) ? [item.post] : []))
    .map(({ source, body }) => ({ path: source.replace(/^markdown:/, ''), body }));
}

describe.skipIf(lacks('real blogs', HAS_REAL_BLOGS))(
  'the text of posts without a reported loss of it',
  () => {
    it.each(BLOGS)('of %s is what another program for Markdown shows', async (blog, least) => {
      const posts = await postsOf(blog);
      expect(posts.length).toBeGreaterThanOrEqual(least);
      let compared = 0;
      for (const { path, body } of posts) {
        const written = splitPage(tidyText(readFileSync(join(REAL_BLOGS, blog, path), 'utf8'))).body;
        if (UNKNOWN.test(written) || OTHERWISE.includes(path)) continue;
        const html = /\.html?$/.test(path) ? written : marked.parse(written, { async: false });
        expect(difference(charactersOf(body), charactersOf(html)), path).toBeNull();
        compared += 1;
      }
      expect(compared).toBeGreaterThanOrEqual(posts.length / 2);
    });
  },
);
