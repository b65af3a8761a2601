/**
 * The import of a running Ghost and WordPress, compared with their own answers. Nothing secret is stored.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importBlog } from '../../data/imported/import.ts';
import { readBlog } from '../../import/formats.ts';
import { dump, emptyBlog, folderOf } from '../import/folder.ts';
import { importRunning, statusesOf } from '../import/running-blog.ts';
import {
  type GhostSystem,
  isTested,
  startGhost,
  startWordPress,
  type WordPressSystem,
} from './running-systems.ts';

/** What only members see, in the editor's format. */
function gated(text: string): string {
  const some = { nonMember: false, memberSegment: 'status:free,status:-free' };
  const card = {
    type: 'html',
    version: 1,
    html: `<p>${text}</p>`,
    visibility: { web: some, email: { memberSegment: 'status:free' } },
  };
  const root = { children: [card], direction: null, format: '', indent: 0, type: 'root', version: 1 };
  return JSON.stringify({ root });
}

/** Later than everything that the test writes. */
const now = new Date(Date.now() + 3_600_000);
const POSTS =
  'SELECT source, slug, title, body, status, published_at, description, url FROM posts ORDER BY source';

describe.skipIf(!isTested('ghost'))('a running Ghost', () => {
  let ghost: GhostSystem;
  const made = v.object({ posts: v.tuple([v.object({ id: v.string(), updated_at: v.string() })]) });
  const post = async (fields: object) =>
    v.parse(
      made,
      await ghost.send('POST', `posts/${'html' in fields ? '?source=html' : ''}`, {
        posts: [{ status: 'published', ...fields }],
      }),
    ).posts[0];
  beforeAll(async () => {
    ghost = await startGhost();
    await post({
      title: 'Full',
      html: '<p>A <a href="/x/">link</a></p>',
      custom_excerpt: 'Own',
      tags: ['C++', '#house', 'Notes'],
    });
    await post({ title: 'Other', html: '<p>B</p>', canonical_url: 'https://other.example/b/' });
    for (const visibility of ['members', 'paid'])
      await post({ title: 'Secret', html: '<p>Secret</p>', visibility });
    await post({ title: 'Gated', lexical: gated('Secret') });
    await post({ title: 'Secret', status: 'scheduled', published_at: '2090-01-01T00:00:00.000Z' });
    await post({ title: 'Secret', status: 'draft' });
    await ghost.send('POST', 'pages/', { pages: [{ title: 'Secret', status: 'published' }] });
  });
  afterAll(() => ghost?.stop());

  it('is imported like its own export', async () => {
    const path = join(folderOf({}), 'export.json');
    writeFileSync(path, JSON.stringify(await ghost.send('GET', 'db/')));
    const fromExport = emptyBlog();
    await importBlog({ db: fromExport, items: readBlog('ghost', [path], { now, site: ghost.url }) });
    const running = emptyBlog();
    await importRunning(running, 'ghost', ghost, { now, key: ghost.content });
    // The export has the scheduled post too.
    fromExport.prepare("DELETE FROM posts WHERE status = 'scheduled'").run();
    expect(running.prepare(POSTS).all()).toEqual(fromExport.prepare(POSTS).all());
    expect(Object.keys(statusesOf(running))).toEqual(['coming-soon', 'full', 'gated', 'other']);
    expect(dump(running)).not.toMatch(/secret/i);
  });

  it('is read again where it changed', async () => {
    const db = emptyBlog();
    await importRunning(db, 'ghost', ghost, { now, key: ghost.content });
    const before = dump(db);
    expect(await importRunning(db, 'ghost', ghost, { now, key: ghost.content })).toMatchObject({
      imported: { posts: 0 },
    });
    expect(dump(db)).toBe(before);
    const { id, updated_at } = await post({ title: 'Short', html: '<p>S</p>' });
    expect(await importRunning(db, 'ghost', ghost, { now, key: ghost.content })).toMatchObject({
      imported: { posts: 1 },
    });
    await ghost.send('PUT', `posts/${id}/`, { posts: [{ updated_at, status: 'draft' }] });
    expect(await importRunning(db, 'ghost', ghost, { now, key: ghost.content })).toMatchObject({
      gone: [{ slug: 'short' }],
    });
  });
});

describe.skipIf(!isTested('wordpress'))('a running WordPress', () => {
  let wordPress: WordPressSystem;
  const made = v.object({ id: v.number() });
  const post = async (fields: object) =>
    v.parse(made, await wordPress.send('POST', 'posts', { status: 'publish', ...fields })).id;
  beforeAll(async () => {
    wordPress = await startWordPress();
    // Like plug-ins for members: a shortcode, a field of the post, and a post left out.
    wordPress.plugIn(
      'members',
      `add_shortcode('members_only', fn($_, $text) => is_user_logged_in() ? $text : 'For members.');
       register_post_meta('post', 'members', ['show_in_rest' => true, 'single' => true, 'type' => 'string']);
       add_filter('the_content', fn($text) => is_user_logged_in() || get_post_meta(get_the_ID(), 'members', true) !== 'text' ? $text : 'For members.', 99);
       add_filter('rest_post_query', function ($query) {
         if (!is_user_logged_in()) $query['meta_query'] = ['relation' => 'OR', ['key' => 'members', 'compare' => 'NOT EXISTS'], ['key' => 'members', 'value' => 'post', 'compare' => '!=']];
         return $query;
       });`,
    );
    const names = Array.from({ length: 12 }, (_, i) => `Tag ${String.fromCharCode(65 + i)}`);
    const tags: number[] = [];
    for (const name of names) tags.push(v.parse(made, await wordPress.send('POST', 'tags', { name })).id);
    await post({
      title: 'It\'s "one"',
      content: 'First.\n\n[gallery ids=""]Second -- line.',
      excerpt: 'Own',
      tags,
    });
    await post({ title: 'Part', content: 'Open.\n\n[members_only]Secret[/members_only]' });
    await post({ title: 'Text', content: 'Secret', meta: { members: 'text' } });
    for (const fields of [
      ...['draft', 'pending', 'private'].map((status) => ({ status })),
      ...[
        { status: 'future', date: '2090-01-01T00:00:00' },
        { password: ' x' },
        { meta: { members: 'post' } },
      ],
    ])
      await post({ title: 'Secret', content: 'Secret', ...fields });
    await wordPress.send('DELETE', `posts/${await post({ title: 'Secret' })}`);
    await wordPress.send('POST', 'pages', { title: 'Secret', status: 'publish' });
  });
  afterAll(() => wordPress?.stop());

  it('is imported like its API shows it', async () => {
    const db = emptyBlog();
    const { url } = wordPress;
    const report = await importRunning(db, 'wordpress', { url }, { now });
    expect(report.site).toEqual({ name: 'A & B', url });
    expect(Object.keys(statusesOf(db))).toEqual(['hello-world', 'its-one', 'part', 'text']);
    expect(dump(db)).not.toMatch(/secret/i);
    expect(db.prepare('SELECT count(*) FROM tags').pluck().get()).toBe(12);
    const shown = v.object({
      link: v.string(),
      title: v.object({ rendered: v.string() }),
      content: v.object({ rendered: v.string() }),
    });
    const rows = v.parse(v.array(shown), await (await fetch(`${url}/wp-json/wp/v2/posts`)).json());
    const own = rows.find(({ link }) => link.endsWith('/its-one/'));
    const read = db.prepare("SELECT body, url, title, description FROM posts WHERE slug = 'its-one'").get();
    expect(read).toEqual({
      body: own?.content.rendered.trim(),
      url: own?.link,
      title: 'It’s “one”',
      description: 'Own',
    });
  });

  it('is read again where it changed', async () => {
    const db = emptyBlog();
    await importRunning(db, 'wordpress', wordPress, { now });
    const before = dump(db);
    expect(await importRunning(db, 'wordpress', wordPress, { now })).toMatchObject({ unchanged: 4 });
    expect(dump(db)).toBe(before);
    const id = await post({ title: 'Short', content: 'S' });
    expect(await importRunning(db, 'wordpress', wordPress, { now })).toMatchObject({
      imported: { posts: 1 },
      unchanged: 4,
    });
    await wordPress.send('DELETE', `posts/${id}`);
    expect(await importRunning(db, 'wordpress', wordPress, { now })).toMatchObject({
      gone: [{ slug: 'short' }],
    });
  });
});
