import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { FREE, useStage } from '../../conformance/stage.ts';
import { nodeHome } from '../../service/node-home.ts';
import { insertPost, writeEmptyBlog } from '../../service/odd-blog.ts';
import { oddNames, refusedNames } from '../../service/odd-rows.ts';
import { type Reply, send } from '../../service/client.ts';
import { rawGet, sendRaw } from '../../service/raw-client.ts';

/**
 * Slugs, usernames and tags that are difficult for file systems, URLs and JavaScript. Each is served under exactly
 * its name, or skipped with a reason. Whatever the request, the answer is one of the interface.
 */
const HARD: readonly string[] = [
  ...oddNames,
  ...refusedNames,
  ...['..%2f', '%2e%2e', '%2e%2e%2f', '..\\', '..;', '.. ', ' ..', '...', './', '//', 'a//b', 'a/../b', '/etc/passwd', 'C:\\x', '\\\\host\\x'],
  ...['CON', 'aux', 'prn.json', 'com1', 'lpt9', '.hidden', '~', '-', '--help', '*', '?', '|', ':', '"', "'", '`', '$(x)', '$HOME', '`x`', '\n', '\t', 'a\nb', 'a\r\nX-Injected: 1'],
  ...['__proto__', 'constructor', 'prototype', 'valueOf', '__defineGetter__', 'length', 'then', 'toJSON', 'NaN', 'Infinity', '[object Object]'],
  ...['\u202eabc', 'abc\u202e', '\u200fabc', '\u2066a\u2069', '\u200b', '\ufeffa', '\u00ad', 'a\u0300', '\u00e0', '\u212b', '\u00c5', 'A\u030a', '\ufb01', 'fi', '\u2126', '\u03a9', '\u1e9e', '\u00df', 'ss', 'SS', 'I', 'i', '\u0130', '\u0131', 'K', '\u212a', 'k'],
  ...['\ud83d\ude00', '\ud83c\uddf9\ud83c\uddf7', '\u{10ffff}', '\ufffd', '\uffff', '\ue000', '\u0085', '\u2028', '\u007f', '\u0001'],
  ...['null', 'a\0b', '\0', 'a\0'],
  ...['x'.repeat(255), 'x'.repeat(256), 'y'.repeat(10_000), '\u6587'.repeat(3_000)],
]; // prettier-ignore
const SLUGS = [...new Set(HARD)];

/** Invalid text: a lone surrogate, a truncated character, an overlong encoding. */
const BROKEN_HEX = ['eda080', 'edb080', '61eda08062', 'f09f98', 'c0ae', 'ff', '80'];

/** Everything listed can be requested: names that cannot be in a path or filter are skipped. */
const isServed = (slug: string): boolean =>
  ![...slug].some((letter) => letter < ' ' || (letter >= '\u007f' && letter <= '\u009f')) &&
  !slug.includes('/') &&
  !['.', '..'].includes(slug) &&
  [...slug].length <= 1000;

function hardBlog() {
  const path = join(mkdtempSync(join(tmpdir(), 'offprint-names-')), 'blog.db');
  writeEmptyBlog(path);
  const db = new Database(path);
  db.transaction(() => {
    SLUGS.forEach((slug, index) => {
      if (slug.trim() === '' || slug.includes('\0')) return;
      for (const table of ['categories (slug', 'tags (slug', 'authors (username'])
        db.prepare(`INSERT OR IGNORE INTO ${table}, name) VALUES (?, ?)`).run(slug, `Name ${index}`);
    });
    SLUGS.forEach((slug, index) => {
      try {
        insertPost(db, {
          slug,
          title: `Post ${index}`,
          ...([...slug].length <= 200 ? { category: slug, author: slug } : {}),
          tags: [slug],
          body: `<p>${index}</p>`,
        });
      } catch (error) {
        // The schema rejects blank names.
        if (!(error instanceof Error && /CHECK/.test(error.message)) || slug.trim() !== '') throw error;
      }
    });
    for (const hex of BROKEN_HEX) {
      db.prepare(
        `INSERT INTO posts (slug, title, status, published_at) VALUES (CAST(x'${hex}' AS TEXT), 'Broken', 'published', '2024-01-01T00:00:00Z')`,
      ).run();
    }
  })();
  db.close();
  return Promise.resolve({ name: 'hard names', db: path });
}

describe('difficult names', () => {
  const stage = useStage(nodeHome, hardBlog, FREE);
  const get = async (target: string | Uint8Array): Promise<Reply> => {
    const reply = await sendRaw(stage().service.url, rawGet(target));
    if (reply === null) throw new Error('The service gave no reply.');
    return reply;
  };
  /** For percent-encoded names, without a connection for each. */
  const ask = (path: string): Promise<Reply> => send(stage().service.url, { path });
  const dataOf = (reply: Reply): unknown => (reply.json as { data?: unknown } | undefined)?.data;
  /** Every answer is the envelope, and no header contains a name. */
  const holdEnvelope = (reply: Reply, what: string) => {
    expect([200, 400, 404, 414, 422], what).toContain(reply.status);
    expect((reply.json as { success?: unknown } | undefined)?.success, what).toBe(reply.status === 200);
    expect(reply.header('x-injected')).toBeUndefined();
  };

  test('are all listed if published', async () => {
    const listed: string[] = [];
    for (let page = 1; ; page++) {
      const { items, meta } = dataOf(await get(`/api/public/v1/posts?per_page=50&page=${page}`)) as {
        items: { slug: string }[];
        meta: { last_page: number };
      };
      listed.push(...items.map(({ slug }) => slug));
      if (page >= meta.last_page) break;
    }
    expect(new Set(listed).size).toBe(listed.length);
    const expected = SLUGS.filter((slug) => slug.trim() !== '');
    const missing = expected.filter((slug) => !listed.includes(slug));
    expect(missing).toEqual(expected.filter((slug) => !isServed(slug)));
    expect(listed.filter((slug) => !slug.isWellFormed())).toEqual([]);
    expect(listed.every((slug) => expected.includes(slug))).toBe(true);
  });

  test('are found only by their exact spelling', async () => {
    let served = 0;
    for (const slug of SLUGS) {
      const encoded = encodeURIComponent(slug);
      const spellings = [
        encoded,
        encoded.toLowerCase(),
        encoded.toUpperCase(),
        ...['NFC', 'NFD', 'NFKC'].map((form) => encodeURIComponent(slug.normalize(form))),
        ...[encoded, slug.toLowerCase(), slug.trim()].map(encodeURIComponent),
        ...['%00', '.json', '/', '/..', ';x'].map((end) => encoded + end),
        ...['./', 'x/../'].map((start) => start + encoded),
        [...Buffer.from(slug)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
      ];
      for (const kind of ['posts', 'authors']) {
        for (const spelling of new Set(spellings)) {
          const reply = await ask(`/api/public/v1/${kind}/${spelling}`);
          const what = JSON.stringify({ kind, spelling: spelling.slice(0, 100) });
          holdEnvelope(reply, what);
          if (reply.status !== 200) continue;
          const data = dataOf(reply) as { slug?: string; username?: string; items?: unknown };
          if (data.items !== undefined) continue; // `/posts/` is the list.
          served += 1;
          // A trailing slash is ignored.
          expect(data.slug ?? data.username, what).toBe(decodeURIComponent(spelling.replace(/\/$/, '')));
        }
        const itself = await ask(`/api/public/v1/${kind}/${encoded}`);
        if (slug.trim() === '') continue;
        const isThere = isServed(slug) && (kind === 'posts' || [...slug].length <= 200);
        expect(itself.status === 200, JSON.stringify({ kind, slug: slug.slice(0, 50) })).toBe(isThere);
      }
    }
    expect(served).toBeGreaterThan(SLUGS.length * 2);
  });

  test('as filters, or as a search, get an answer of the interface', async () => {
    for (const name of SLUGS) {
      for (const filter of ['category', 'author', 'tag', 'q']) {
        const path = `/api/public/v1/posts?${filter}=${encodeURIComponent(name)}`;
        holdEnvelope(await ask(path), path.slice(0, 100));
      }
    }
  });

  test('no file has such a name, and none is outside of `out`', () => {
    const { folder } = stage().service;
    const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    expect(paths.length).toBeGreaterThan(SLUGS.length);
    const outside = paths.filter((path) => path !== 'out' && !path.startsWith('out/'));
    expect(
      outside.every((path) => /^(?:blog\.db(?:-wal|-shm)?|offprint\.json)$/.test(path)),
      outside.join(),
    ).toBe(true);
    const odd = paths.filter(
      (path) => !/^[a-z0-9._/-]{1,200}$/.test(path) || /(?:^|\/)\.\.?(?:\/|$)/.test(path),
    );
    expect(odd).toEqual([]);
  });
});
