import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Parser } from 'htmlparser2';
import { defaultTreeAdapter, html, parseFragment, serialize } from 'parse5';
import { describe, expect, test } from 'vitest';
import { isEmbed } from '../../build/html/address.ts';
import { HTML_POLICY } from '../../build/html/policy.ts';
import { sanitise } from '../../build/html/sanitise.ts';
import { HAS_REAL_BLOGS, readRealBlog, REAL_BLOGS } from '../import/real-blogs.ts';
import { lacks } from '../lacks.ts';

/** Sanitising keeps what articles need: elements of real blogs are counted before and after. */
const REAL: readonly (readonly ['markdown' | 'wordpress', path: string])[] = [
  ['markdown', 'rust-blog'],
  ['markdown', '18f-blog'],
  ['markdown', 'eslint-blog'],
  ['markdown', 'jekyll-blog'],
  ['markdown', 'abulimov-hugo-ru'],
  ['markdown', 'tabi-zola-multilang'],
  ['markdown', 'loveit-hugo-zh-en'],
  ['wordpress', 'cc-labs-wxr/docs/wordpress.xml'],
  ['wordpress', '80dni-pl-wxr/export.xml'],
];

const BASE = 'https://blog.example/posts/a';

const COUNTED = ['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'dl', 'dt', 'dd', 'blockquote',
  'table', 'caption', 'thead', 'tbody', 'tr', 'th', 'td', 'pre', 'code', 'figure', 'figcaption', 'img', 'a',
  'strong', 'em', 'del', 'sup', 'sub', 'kbd', 'abbr', 'details', 'summary', 'video', 'audio', 'hr', 'br']; // prettier-ignore

type Counts = Record<string, number>;

/**
 * Counts what an article shows, without the content of removed elements, and without links and images that have no
 * valid target.
 */
function count(article: string, counts: Counts): void {
  const add = (what: string) => (counts[what] = (counts[what] ?? 0) + 1);
  let hidden = 0;
  const ids = new Set<string>();
  const fragments: string[] = [];
  const parser = new Parser({
    onopentag(name, attributes) {
      if (hidden > 0 || (name !== 'noscript' && HTML_POLICY.withoutText.includes(name))) {
        hidden += 1;
        return;
      }
      const { id, href, src } = attributes;
      if (COUNTED.includes(name)) add(name);
      if (!HTML_POLICY.tags.includes(name)) return;
      // A frame of another host is removed together with its id.
      if (id && name !== 'iframe') {
        add('id');
        ids.add(id);
      }
      if (name === 'a' && href?.startsWith('#')) fragments.push(decodeURI(href.slice(1)));
      else if (name === 'a' && href !== undefined && hasTarget(href)) add('link');
      if (name === 'img' && src) add('img with its address');
      if (name === 'code' && /\blanguage-/.test(attributes['class'] ?? '')) add('code with its language');
      if (/footnote/.test(attributes['class'] ?? '')) add('footnote');
      if ((name === 'td' || name === 'th') && (attributes['colspan'] || attributes['rowspan']))
        add('wide cell');
      if (
        name === 'iframe' &&
        isEmbed((URL.parse(src ?? '', BASE)?.href ?? '').replace(/^http:/, 'https:'), HTML_POLICY.embeds)
      )
        add('embed of a named player');
    },
    onclosetag() {
      if (hidden > 0) hidden -= 1;
    },
  });
  parser.end(article);
  for (const fragment of fragments)
    add(ids.has(fragment) ? 'link to a place in the article' : 'link to a place');
}

function hasTarget(address: string): boolean {
  return HTML_POLICY.schemes.includes(URL.parse(address, BASE)?.protocol.slice(0, -1) ?? '');
}

test('an image without an address gets none', () => {
  expect(sanitise('<img src="" alt="a">', BASE)).not.toContain('src');
});

describe
  .skipIf(lacks('real blogs', HAS_REAL_BLOGS))
  .each(REAL.filter(([, path]) => !HAS_REAL_BLOGS || existsSync(join(REAL_BLOGS, path))))(
  'the real %s blog %s',
  (format, path) => {
    test('keeps what its articles need', async () => {
      const before: Counts = {};
      const after: Counts = {};
      let posts = 0;
      for (const item of await readRealBlog(format, path)) {
        if (item.kind !== 'post') continue;
        posts += 1;
        count(
          serialize(
            parseFragment(defaultTreeAdapter.createElement('div', html.NS.HTML, []), item.post.body, {
              scriptingEnabled: false,
            }),
            { scriptingEnabled: false },
          ),
          before,
        );
        count(sanitise(item.post.body, BASE), after);
      }
      expect(posts).toBeGreaterThan(2);
      expect(before['p']).toBeGreaterThan(10);
      console.log(
        `${path}, ${posts} posts: ${Object.entries(before)
          .map(
            ([what, number]) =>
              `${number} ${what}${after[what] === number ? '' : ` (after: ${after[what] ?? 0})`}`,
          )
          .join(', ')}`,
      );
      expect(after).toEqual(before);
    });
  },
);
