/** Addresses of articles by the patterns of `site.paths.post`, in lists and in the links of bodies. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SiteOverrides } from '../../../build/snapshot/site.ts';
import { insertPost, writeEmptyBlog } from '../../service/odd-blog.ts';
import { readPublished } from '../published-blog.ts';
import { editing, publish } from '../publishing.ts';
import { blogPaths, temporaryFolder } from '../temporary-folder.ts';

const BODY = '<p><a href="next">x</a></p>';

/** A post of 1 March 2024 in its own time zone, and of 29 February in UTC. */
function blog(): { readonly db: string; readonly out: string } {
  const { db, out } = blogPaths();
  writeEmptyBlog(db);
  editing(db, (blog) => {
    blog.exec("INSERT INTO categories (slug, name) VALUES ('c++ & é', 'C++'), ('other', 'Other')");
    const post = { body: BODY, publishedAt: '2024-03-01T01:30:00+02:00' };
    insertPost(blog, { ...post, slug: 'one', category: 'c++ & é' });
    insertPost(blog, { ...post, slug: 'none' });
    insertPost(blog, { ...post, slug: 'own', category: 'other', url: '/its/own/' });
  });
  return { db, out };
}

/** Slug → address, and the target of `next` in its body. */
async function addresses(db: string, out: string, post?: string): Promise<Record<string, string[]>> {
  const site: SiteOverrides = post === undefined ? {} : { paths: { post } };
  const { snapshot } = await publish(db, out, { site });
  // Equal to a full build.
  expect((await publish(db, join(temporaryFolder(), 'out'), { site })).snapshot).toBe(snapshot);
  const { summaries, details } = readPublished(out);
  return Object.fromEntries(
    (summaries as { slug: string; url: string }[]).map(({ slug, url }, i) => {
      const { content } = details[i] as { content: string };
      return [slug, [url, /href="([^"]*)"/.exec(content)?.[1] ?? '']];
    }),
  );
}

const at = (path: string, next: string) => [`https://blog.example${path}`, `https://blog.example${next}`];
const OWN = at('/its/own/', '/its/own/next');

test.each([
  ['/{year}/{month}/{day}/{slug}/', '/2024/03/01/one/', '/2024/03/01/none/'],
  ['/{slug}-{year}.html?y={year}', '/one-2024.html?y=2024', '/none-2024.html?y=2024'],
  ['/{category}/{slug}/', '/c%2B%2B%20%26%20%C3%A9/one/', '/none/'],
  ['/blog/{category}/{year}/{slug}/', '/blog/c%2B%2B%20%26%20%C3%A9/2024/one/', '/blog/2024/none/'],
  ['/{slug}/{category}', '/one/c%2B%2B%20%26%20%C3%A9', '/none'],
  ['/{slug}/?in={category}', '/one/?in=c%2B%2B%20%26%20%C3%A9', '/none/?in='],
])('with the pattern %s', async (pattern, one, none) => {
  const { db, out } = blog();
  const nextOf = (path: string) => new URL('next', `https://blog.example${path}`).pathname;
  const expected = { one: at(one, nextOf(one)), none: at(none, nextOf(none)), own: OWN };
  expect(await addresses(db, out, pattern)).toEqual(expected);
  // The table `site` accepts the same patterns.
  editing(db, (blog) => blog.prepare('UPDATE site SET post_path = ?').run(pattern));
  expect(await addresses(db, out)).toEqual(expected);
});

test('they change with the date, the category and the slug', async () => {
  const { db, out } = blog();
  const after = async (sql: string) => {
    editing(db, (blog) => blog.exec(sql));
    const { one, none, own } = await addresses(db, out, '/{category}/{month}/{slug}/');
    expect(own).toEqual(OWN);
    expect(none).toEqual(at('/03/none/', '/03/none/next'));
    return one;
  };
  const id = "(SELECT id FROM categories WHERE slug = 'other')";
  expect(await after(`UPDATE posts SET category_id = ${id} WHERE slug = 'one'`)).toEqual(
    at('/other/03/one/', '/other/03/one/next'),
  );
  expect(await after("UPDATE categories SET slug = 'moved' WHERE slug = 'other'")).toEqual(
    at('/moved/03/one/', '/moved/03/one/next'),
  );
  expect(await after("UPDATE posts SET published_at = '2024-04-01T00:00:00Z' WHERE slug = 'one'")).toEqual(
    at('/moved/04/one/', '/moved/04/one/next'),
  );
  expect(await after("DELETE FROM categories WHERE slug = 'moved'")).toEqual(at('/04/one/', '/04/one/next'));
});
