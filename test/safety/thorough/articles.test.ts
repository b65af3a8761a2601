import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'htmlparser2';
import { defaultTreeAdapter, html, parseFragment, serialize } from 'parse5';
import { describe, expect, test } from 'vitest';
import { isEmbed } from '../../../build/html/address.ts';
import { HTML_POLICY } from '../../../build/html/policy.ts';
import { sanitise } from '../../../build/html/sanitise.ts';
import { HAS_REAL_BLOGS, readRealBlog, REAL_BLOGS } from '../../import/real-blogs.ts';
import { lacks } from '../../lacks.ts';

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
  const isShown = (name: string) => name === 'noscript' || !HTML_POLICY.withoutText.includes(name);
  const ids = new Set<string>();
  const fragments: string[] = [];
  const visit = (nodes: ReturnType<typeof parseDocument>['children']): void => {
    for (const node of nodes) {
      if (!('attribs' in node) || !isShown(node.name)) continue;
      visit(node.children);
      const { name, attribs } = node;
      const add = (what: string, isThere: unknown) => {
        if (isThere) counts[what] = (counts[what] ?? 0) + 1;
      };
      add(name, COUNTED.includes(name));
      if (!HTML_POLICY.tags.includes(name)) continue;
      const { id, href, src = '', class: classes = '', colspan, rowspan } = attribs;
      // A frame of another host is removed together with its id.
      if (id && name !== 'iframe') ids.add(id);
      if (name === 'a' && href?.startsWith('#')) fragments.push(decodeURI(href.slice(1)));
      else add('link', name === 'a' && href !== undefined && hasTarget(href));
      add('img with its address', name === 'img' && src);
      add('code with its language', name === 'code' && /\blanguage-/.test(classes));
      add('footnote', /footnote/.test(classes));
      add('wide cell', (name === 'td' || name === 'th') && (colspan || rowspan));
      const player = URL.parse(src, BASE)?.href.replace(/^http:/, 'https:') ?? '';
      add('embed of a named player', name === 'iframe' && isEmbed(player, HTML_POLICY.embeds));
    }
  };
  visit(parseDocument(article).children);
  counts['id'] = (counts['id'] ?? 0) + ids.size;
  counts['link to a place'] = (counts['link to a place'] ?? 0) + fragments.length;
  const found = fragments.filter((fragment) => ids.has(fragment)).length;
  counts['link to a place that exists'] = (counts['link to a place that exists'] ?? 0) + found;
}

function hasTarget(address: string): boolean {
  return HTML_POLICY.schemes.includes(URL.parse(address, BASE)?.protocol.slice(0, -1) ?? '');
}

test('an image without an address gets none', () => {
  expect(sanitise('<img src="" alt="a">', BASE)).not.toContain('src');
});

describe.skipIf(lacks('real blogs', HAS_REAL_BLOGS))(
  'the articles of a real blog keep what they need:',
  () => {
    test.each(REAL.filter(([, path]) => existsSync(join(REAL_BLOGS, path))))(
      '%s %s',
      async (format, path) => {
        const [before, after]: [Counts, Counts] = [{}, {}];
        const posts = (await readRealBlog(format, path)).filter((item) => item.kind === 'post');
        for (const { post } of posts) {
          const inDiv = defaultTreeAdapter.createElement('div', html.NS.HTML, []);
          const options = { scriptingEnabled: false };
          count(serialize(parseFragment(inDiv, post.body, options), options), before);
          count(sanitise(post.body, BASE), after);
        }
        expect(posts.length).toBeGreaterThan(2);
        expect(before['p']).toBeGreaterThan(10);
        expect(after).toEqual(before);
      },
    );
  },
);
