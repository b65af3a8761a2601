/**
 * The import of a running Ghost and WordPress, compared with their own answers.
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
      await ghost.send('POST', 'posts/?source=html', { posts: [{ status: 'published', ...fields }] }),
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
      await post({ title: visibility, html: '<p>Secret</p>', visibility });
    await post({ title: 'Later', status: 'scheduled', published_at: '2090-01-01T00:00:00.000Z' });
    await post({ title: 'Draft', status: 'draft' });
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
    expect(statusesOf(running)).toEqual({
      'coming-soon': 'published',
      full: 'published',
      other: 'published',
    });
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
    const names = Array.from({ length: 12 }, (_, i) => `Tag ${String.fromCharCode(65 + i)}`);
    const tags: number[] = [];
    for (const name of names) tags.push(v.parse(made, await wordPress.send('POST', 'tags', { name })).id);
    await post({
      title: 'It\'s "one"',
      content: 'First.\n\n[gallery ids=""]Second -- line.',
      excerpt: 'Own',
      tags,
    });
    await post({ title: 'Locked', content: 'Secret', password: ' x' });
    await post({ title: 'Private', content: 'Secret', status: 'private' });
    await post({ title: 'Later', content: 'Later', status: 'future', date: '2090-01-01T00:00:00' });
    await post({ title: 'Draft', content: 'Draft', status: 'draft' });
  });
  afterAll(() => wordPress?.stop());

  it('is imported like its API shows it', async () => {
    const db = emptyBlog();
    const { url } = wordPress;
    const report = await importRunning(db, 'wordpress', { url }, { now });
    expect(report.site).toEqual({ name: 'A & B', url });
    expect(statusesOf(db)).toEqual({ 'hello-world': 'published', 'its-one': 'published' });
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
    expect(await importRunning(db, 'wordpress', wordPress, { now })).toMatchObject({ unchanged: 2 });
    expect(dump(db)).toBe(before);
    const id = await post({ title: 'Short', content: 'S' });
    expect(await importRunning(db, 'wordpress', wordPress, { now })).toMatchObject({
      imported: { posts: 1 },
      unchanged: 2,
    });
    await wordPress.send('DELETE', `posts/${id}`);
    expect(await importRunning(db, 'wordpress', wordPress, { now })).toMatchObject({
      gone: [{ slug: 'short' }],
    });
  });
});
