import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { isBuildDue, type BuildOptions } from '../../build/build.ts';
import { SILENT } from '../../common/progress.ts';
import { openForWriting } from '../../data/database.ts';
import { readBlog } from '../../import/formats.ts';
import { importBlog } from '../../data/imported/import.ts';
import { differences } from '../build/output.ts';
import { readPublished } from '../build/published-blog.ts';
import { LIMITS, NOW, publish } from '../build/publishing.ts';
import { temporaryFolder } from '../build/temporary-folder.ts';
import { runOffprint } from '../build/offprint-process.ts';
import { exportOf } from '../import/ghost-export.ts';
import { addFunctions } from '../../data/live/functions.ts';
import { VIEWS } from '../../data/live/views.ts';
import { changing, ghostBlog, ghostId, settle, writeGhost } from './ghost-database.ts';

const source = fileURLToPath(new URL('../../data/sources/ghost.sql', import.meta.url));
const site = { url: 'https://ghost.example' };

function ghost(posts = 12) {
  const folder = temporaryFolder();
  const [db, out] = [join(folder, 'ghost.db'), join(folder, 'out')];
  writeGhost(db, ghostBlog(posts));
  const options: BuildOptions = {
    ...{ db, source, out, site, limits: LIMITS, strict: false, force: false },
    ...{ now: NOW, progress: SILENT, builtBy: 'test' },
  };
  return { folder, db, out, options, build: (more = {}) => publish(db, out, { source, site, ...more }) };
}

const fingerprint = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

describe("Ghost's own database as a source", () => {
  test('gives what Ghost shows to everybody', async () => {
    const { out, build } = ghost(2);
    expect(await build()).toMatchObject({ posts: 4, skipped: [] });
    const published = readPublished(out);
    expect(published.summaries).toEqual([
      expect.objectContaining({
        slug: 'post-0',
        url: 'https://ghost.example/post-0/',
        author: null,
        tags: [],
      }),
      expect.objectContaining({ slug: 'elsewhere', url: 'https://other.example/first/' }),
      expect.objectContaining({ slug: 'post-1', author: { name: 'Bo', username: 'bo' } }),
      {
        slug: 'all',
        title: 'With all',
        description: 'In short',
        cover: 'https://ghost.example/content/images/a.png',
        views: 0,
        tags: ['Introducción', 'C++'],
        category: null,
        author: { name: 'Ann Lee', username: 'ann' },
        url: 'https://ghost.example/all/',
        published_at: '2024-07-02T00:30:00+02:00',
        updated_at: '2024-07-03T10:00:00+02:00',
      },
    ]);
    expect(published.details.at(-1)).toMatchObject({
      content:
        '<p><a href="https://ghost.example/post-1/">one</a></p><details class="kg-card kg-toggle-card"><summary>Why?</summary><p>So.</p></details>',
      seo: { meta_title: 'SEO', meta_description: null },
    });
    expect(published.authors).toMatchObject([
      { username: 'ann', avatar: 'https://img.example/a.png' },
      { username: 'bo', avatar: 'https://ghost.example/content/images/bo.png' },
    ]);
    expect(published.tags).toMatchObject([
      { name: 'C++', slug: 'c', url: 'https://ghost.example/tag/c/' },
      { name: 'Introducción', slug: 'introduccion', url: 'https://ghost.example/tag/introduccion/' },
    ]);
  });

  test('is read in linear time: no view scans a table for each row of another', () => {
    const { db } = ghost();
    changing(db, (open) => {
      open.exec('CREATE TEMP TABLE offprint_settings (site_url TEXT)');
      addFunctions(open);
      open.exec(readFileSync(source, 'utf8'));
      const plans = Object.keys(VIEWS).flatMap((view) =>
        view === 'offprint_categories'
          ? []
          : open.prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN SELECT * FROM ${view}`).all(),
      );
      const steps = plans.map(({ detail }) => detail);
      expect(steps).toEqual(expect.arrayContaining([expect.stringContaining('SCAN posts')]));
      expect(steps).not.toEqual(expect.arrayContaining([expect.stringContaining('CORRELATED')]));
    });
  });

  test('uses links to the blog itself, even if another site is the canonical address', async () => {
    const { db, out, build } = ghost(2);
    changing(db, (open) =>
      open.exec(`UPDATE posts SET html = '<p><a href="/about/">a</a> <a href="#b">b</a> <a href="c">c</a></p>'
        WHERE slug = 'elsewhere'`),
    );
    await build();
    const { summaries, details } = readPublished(out);
    expect(summaries).toContainEqual(expect.objectContaining({ url: 'https://other.example/first/' }));
    expect(details).toContainEqual(
      expect.objectContaining({
        content:
          '<p><a href="https://ghost.example/about/">a</a> <a href="#b">b</a> <a href="https://ghost.example/elsewhere/c">c</a></p>',
      }),
    );
  });

  test("gives the same addresses if the site's address has a trailing slash", async () => {
    const { db, out, folder, build } = ghost(2);
    await build();
    const other = join(folder, 'other');
    await publish(db, other, { source, site: { url: `${site.url}/` } });
    expect(differences(out, other)).toEqual([]);
  });

  test('reports that its address is unknown', async () => {
    const { db, folder, build } = ghost(2);
    expect(await build()).toMatchObject({ notes: [] });
    const [out, config] = [join(folder, 'other'), join(folder, 'offprint.json')];
    writeFileSync(config, '{}');
    const args = ['--source', source, '--db', db, '--out', out, '--config', config];
    for (const _ of ['first', 'nothing new']) {
      const { code, stderr } = await runOffprint(['build', ...args]);
      expect(code).toBe(0);
      expect(stderr).toMatch(
        /note: The site's address is not set, .*placeholder addresses \(https:\/\/blog\.example\/…\)\. Set "site"/,
      );
    }
    expect((await runOffprint(['status', '--out', out])).stdout).toMatch(
      /note +The site's address is not set/,
    );
  });

  test('gives the reasons if its posts can no longer be exported', async () => {
    const { db, folder, options } = ghost(2);
    const broken = join(folder, 'broken.sql');
    writeFileSync(
      broken,
      readFileSync(source, 'utf8').replace('posts.published_at,', "'soon' AS published_at,"),
    );
    const config = join(folder, 'offprint.json');
    writeFileSync(config, JSON.stringify({ site }));
    const build = (views: string) =>
      runOffprint([
        'build',
        '--source',
        views,
        '--db',
        db,
        '--out',
        options.out,
        '--config',
        config,
        '--json',
      ]);
    expect(await build(source)).toMatchObject({ code: 0 });
    const { code, stderr } = await build(broken);
    expect(code).toBe(1);
    expect(stderr).toMatch(/left out offprint_posts "all": its date "soon" cannot be read/);
    expect(stderr).toMatch(
      /leave 0 of 4 published posts\. 5 rows cannot be exported, such as offprint_posts "all": its date "soon"/,
    );
    expect((await runOffprint(['status', '--out', options.out])).stdout).toMatch(
      /left out +offprint_posts "all": its date "soon" cannot be read/,
    );
  });

  test('gives the same bytes as its export', async () => {
    const { folder, out, build } = ghost();
    await build();
    const [imported, other] = [join(folder, 'imported.db'), join(folder, 'other')];
    const { posts = [], ...tables } = ghostBlog();
    const db = openForWriting(imported);
    const items = readBlog('ghost', [exportOf({ posts, ...tables })], { now: NOW, site: site.url });
    await importBlog({ db, items, site });
    db.exec("UPDATE site SET name = 'My Ghost', post_path = '/{slug}/', tag_path = '/tag/{slug}/'");
    db.close();
    await publish(imported, other);
    expect(differences(out, other)).toEqual([]);
  });

  test('is never written to, in any journal mode', async () => {
    for (const journal of ['delete', 'wal']) {
      const { db, build } = ghost();
      const open = changing(db, (ghost) => {
        ghost.pragma(`journal_mode = ${journal}`);
        return fingerprint(db);
      });
      await build();
      expect(fingerprint(db)).toBe(open);
      expect(changing(db, (ghost) => ghost.pragma('journal_mode', { simple: true }))).toBe(journal);
    }
  });

  test('can be written to by Ghost during the rest of the build', async () => {
    const { db, build } = ghost();
    let writes = 0;
    const begin = () => {
      changing(db, (open) => {
        open.pragma('busy_timeout = 0');
        open.prepare("UPDATE posts SET title = ? WHERE slug = 'post-1'").run(`Write ${++writes}`);
      });
    };
    await build({ progress: { ...SILENT, begin } });
    expect(writes).toBeGreaterThan(1);
  });

  test('is not read again without a write', async () => {
    for (const journal of ['delete', 'wal']) {
      const { db, options, build } = ghost();
      changing(db, (ghost) => ghost.pragma(`journal_mode = ${journal}`));
      settle(db);
      expect(await isBuildDue(options)).toBe(true);
      await build();
      expect(await isBuildDue(options)).toBe(false);
      // A program that has the database open uses the log.
      const open = new Database(db);
      open.exec("INSERT INTO sessions VALUES ('s', 'x')");
      expect(await isBuildDue(options)).toBe(true);
      settle(db);
      open.close();
      settle(db);
      expect(await build()).toMatchObject({ objects: { written: 0 } });
      expect(await isBuildDue(options)).toBe(false);
      expect(await isBuildDue({ ...options, site: { url: 'https://moved.example' } })).toBe(true);
      expect(await isBuildDue({ ...options, now: new Date('2030-01-02T00:00:00Z') })).toBe(true);
    }
  });

  test('is read once more if a write may have the same timestamp', async () => {
    const { db, options, build } = ghost();
    await build();
    expect(await isBuildDue(options)).toBe(true);
    settle(db);
    await build();
    expect(await isBuildDue(options)).toBe(false);
  });

  test('is built incrementally: an edit costs what it changed', async () => {
    const { db, out, build, folder } = ghost(120);
    const { objects } = await build();
    expect(objects.written).toBeGreaterThan(120);
    const edits: readonly (readonly [sql: string, posts: number, most: number])[] = [
      ["UPDATE sessions SET session_data = 'y'", 122, 0],
      ["UPDATE posts SET html = '<p>Edited</p>' WHERE slug = 'post-60'", 122, 7],
      ["UPDATE posts SET title = 'Edited' WHERE slug = 'post-60'", 122, 14],
      ["UPDATE tags SET name = 'C+' WHERE id = 't1'", 122, 14],
      ["UPDATE posts SET visibility = 'members' WHERE slug = 'all'", 121, 30],
    ];
    for (const [sql, posts, most] of edits) {
      changing(db, (ghost) => ghost.exec(sql));
      const report = await build();
      expect(report.posts).toBe(posts);
      expect(report.objects.written, sql).toBeLessThanOrEqual(most);
    }
    const fresh = join(folder, 'fresh');
    await publish(db, fresh, { source, site });
    expect(differences(out, fresh)).toEqual([]);
  });

  test('may be edited in any way between two builds', async () => {
    const { db, out, build, folder } = ghost();
    await build();
    changing(db, (ghost) => {
      ghost.exec(`
        UPDATE posts SET slug = 'swap' WHERE slug = 'post-1';
        UPDATE posts SET slug = 'post-1' WHERE slug = 'post-2';
        UPDATE posts SET slug = 'post-2' WHERE slug = 'swap';
        UPDATE posts SET id = '${ghostId('other', 3)}' WHERE slug = 'post-3';
        DELETE FROM posts WHERE slug = 'post-4';
        UPDATE users SET slug = 'anne' WHERE id = 'u1';
        UPDATE posts_tags SET sort_order = 9 WHERE id = 'p1';
        UPDATE settings SET value = 'Asia/Tokyo' WHERE key = 'timezone';
        UPDATE posts SET canonical_url = '__GHOST_URL__/five/' WHERE slug = 'post-5';
      `);
    });
    await build();
    const fresh = join(folder, 'fresh');
    await publish(db, fresh, { source, site });
    // A new mirror knows no former slugs.
    const [{ moved, ...known }, { moved: none, ...other }] = [readPublished(out), readPublished(fresh)];
    expect([moved, none]).toEqual([{ 'post-1': 'post-2', 'post-2': 'post-1' }, {}]);
    const withoutFormer = ({ former_slugs: _, ...summary }: Readonly<Record<string, unknown>>) => summary;
    expect({ ...known, summaries: known.summaries.map((one) => withoutFormer(Object(one))) }).toEqual(other);
    expect(readPublished(out).summaries).toContainEqual(
      expect.objectContaining({
        slug: 'all',
        tags: ['C++', 'Introducción'],
        published_at: '2024-07-02T07:30:00+09:00',
      }),
    );
  });
});
