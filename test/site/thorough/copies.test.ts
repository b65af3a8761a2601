/** The code of the page that takes the whole blog, and that which reads all pages. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createClient } from '../../../client/source/index.ts';
import { editing, shortBlog } from '../../build/publishing.ts';
import { folderUntil } from '../../build/temporary-folder.ts';
import { changes } from '../../changes/copy.ts';
import { installedClient } from '../../client/installed.ts';
import { lacks } from '../../lacks.ts';
import { HAS_BROWSER, openPage, startBrowser } from '../../service/browser.ts';
import type { Service } from '../../service/home.ts';
import { answerOf } from '../../service/in-process.ts';
import { inProcessHome } from '../../service/in-process-home.ts';
import { runSnippet, type Snippet, snippetsOf } from '../snippets.ts';

/** A key has two of the three requests that the whole blog takes. One of an administrator is for the client, which reads more. */
const LIMITS = { day: { address: 100_000, user: 2, admin: 20 }, minute: 100_000 };
const LIMIT = 'The daily limit of 2 requests for this account is reached.';

describe.skipIf(lacks('Chromium', HAS_BROWSER))('the code of the page', () => {
  const root = folderUntil(afterAll);
  let browser: Browser;
  let service: Service;
  let curl = '';
  /** By name; each keeps a copy in a folder. */
  let copies: ReadonlyMap<string, Snippet>;
  let allPages = '';
  let accounts = 0;
  /** The service's address in the code. */
  let origin = '';

  /** Runs code with a key that has all its requests left. */
  async function runAnew({ language, code }: Snippet, folder?: string, plan?: 'admin'): Promise<string> {
    accounts += 1;
    const { key } = await service.createKey({
      account: `account-${accounts}`,
      name: 'copy',
      ...(plan && { plan }),
    });
    return runSnippet(
      { language, code: code.replaceAll('YOUR_KEY', key).replaceAll(origin, service.url) },
      folder,
    );
  }

  beforeAll(async () => {
    const db = join(root, 'blog.db');
    shortBlog(db, 120, 5);
    service = await inProcessHome.serve({ name: 'short', db }, { limits: LIMITS });
    browser = await startBrowser();
    const page = await openPage(browser);
    origin = service.url;
    await page.goto(`${origin}/`);
    const codeAt = async (selector: string) => (await page.locator(selector).textContent()) ?? '';
    const snippets = await snippetsOf(page, 'whole-blog');
    curl = snippets.find(({ language }) => language === 'curl')?.code ?? '';
    copies = new Map([
      ...snippets
        .filter(({ language }) => language !== 'curl')
        .map((snippet) => [snippet.language, snippet] as const),
      ['client', { language: 'JavaScript', code: await codeAt('#whole-blog .text > figure code') }],
    ]);
    allPages = await codeAt('#paging .aside code');
    const client = await installedClient();
    for (const name of copies.keys()) {
      mkdirSync(join(root, name));
      symlinkSync(join(client, 'node_modules'), join(root, name, 'node_modules'));
    }
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  it('takes the whole blog with curl', async () => {
    const slugs = new Set<string>();
    let [cursor, token]: (string | null)[] = ['', ''];
    for (const command of curl.split('\n').filter((line) => line.startsWith('curl'))) {
      do {
        const code = command.replace('CURSOR', cursor ?? '').replace('TOKEN', token ?? '');
        const { data } = changes.parse(JSON.parse(await runSnippet({ language: 'curl', code })));
        for (const { slug } of data.items) slugs.add(slug);
        ({ cursor, token } = data);
      } while (command.includes('CURSOR') && cursor !== null);
    }
    expect(slugs.size).toBe((await createClient({ url: service.url }).posts()).meta.total);
    expect(curl.match(/^curl/gm)).toHaveLength(3);
  });

  it('reads all pages of a list, and stops at the limit of the day', async () => {
    const withKey = `const send = fetch;
      globalThis.fetch = (url) => send(url, { headers: { 'X-Api-Key': 'YOUR_KEY' } });`;
    const program = (first: string): Snippet => ({ language: 'JavaScript', code: first + allPages });
    const { total } = (await createClient({ url: service.url }).posts()).meta;
    expect(await runSnippet(program(''))).toMatch(new RegExp(`^(?:.+\n){${total}}$`));
    await expect(runAnew(program(withKey))).rejects.toMatchObject({
      message: expect.stringContaining(LIMIT),
      stdout: expect.stringMatching(/^(?:.+\n){100}$/),
    });
  });

  it('takes the whole blog: stops at the limit of the day, continues, and then takes what changed', async () => {
    expect([...copies.keys()]).toEqual(expect.arrayContaining(['JavaScript', 'client']));
    for (const [name, snippet] of copies)
      await expect(runAnew(snippet, join(root, name)), name).rejects.toThrow(LIMIT);
    const [first = '', second = ''] = (await expectCopies()).keys();

    const at = (name: string) => join(service.folder, name);
    editing(at('blog.db'), (db) => {
      db.prepare(`UPDATE posts SET title = 'Another title' WHERE slug = ?`).run(first);
      db.prepare('DELETE FROM posts WHERE slug = ?').run(second);
    });
    await answerOf(['build', '--db', at('blog.db'), '--out', at('out'), '--config', at('offprint.json')]);
    await service.stop();
    await service.restart();
    const titles = await expectCopies();
    expect([titles.get(first), titles.has(second)]).toEqual(['Another title', false]);
  });

  /** Runs all, and expects the blog's articles in each copy. Returns their titles. */
  async function expectCopies(): Promise<ReadonlyMap<string, string>> {
    const titles = new Map<string, string>();
    for await (const { slug, title } of createClient({ url: service.url }).eachPost())
      titles.set(slug, title);
    expect(titles.size).toBeGreaterThan(110);
    for (const [name, snippet] of copies) {
      const printed = await runAnew(snippet, join(root, name), name === 'client' ? 'admin' : undefined);
      expect([name, printed.trim()]).toEqual([name, `${titles.size} articles`]);
      expect(titlesIn(join(root, name)), name).toEqual(titles);
    }
    return titles;
  }
});

const Article = z.object({ slug: z.string(), title: z.string() });
/** JavaScript writes pairs, other languages an object. */
const BlogJson = z.union([
  z
    .object({ articles: z.array(z.tuple([z.string(), Article])) })
    .transform(({ articles }) => Object.fromEntries(articles)),
  z.tuple([z.record(z.string(), Article), z.string(), z.string()]).transform(([articles]) => articles),
]);

/** The titles by slug of the copy in a folder: blog.json, or files of the client. */
function titlesIn(folder: string): ReadonlyMap<string, string> {
  const read = (...path: string[]): unknown => JSON.parse(readFileSync(join(folder, ...path), 'utf8'));
  const articles = readdirSync(folder).includes('blog.json')
    ? Object.values(BlogJson.parse(read('blog.json')))
    : readdirSync(join(folder, 'blog', 'articles')).map((name) =>
        Article.parse(read('blog', 'articles', name)),
      );
  return new Map(articles.map(({ slug, title }) => [slug, title]));
}
