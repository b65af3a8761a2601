/**
 * The reader of examples/ in a real browser, with the service on another port.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fastGlob from 'fast-glob';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFindings } from '../../service/accessibility.ts';
import { emptyBlog, sampleBlog } from '../../service/blogs.ts';
import type { CreatedKey, Service } from '../../service/home.ts';
import { inProcessHome } from '../../service/in-process-home.ts';
import { ApiProxy } from '../api-proxy.ts';
import { type ServedFolder, serveFolder } from '../served-folder.ts';
import { HAS_BROWSER, openSharedPage, type SharedPage, startBrowser } from '../../service/browser.ts';
import { lacks } from '../../lacks.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const POSTS = '/api/public/v1/posts';
const ARABIC = 'النشر-من-ملفات-ثابتة';
const CHINESE = '不可变的文件';
const SITE = 'The Offprint Press';

/** A page of the reader, with its errors. */
interface Visit {
  readonly page: Page;
  /** Errors in the console and in scripts. */
  readonly errors: string[];
  /** Hosts that it sent requests to. */
  readonly hosts: Set<string>;
  /** Size in bytes of the reader's files. */
  bytes: number;
}

interface Settings {
  readonly key?: string;
  readonly images?: readonly string[];
}

describe.skipIf(lacks('Chromium', HAS_BROWSER))('the reader', () => {
  let browser: Browser;
  let shared: SharedPage;
  let service: Service;
  let strict: Service;
  let key: CreatedKey;
  const api = new ApiProxy();
  let reader: ServedFolder;

  beforeAll(async () => {
    const blog = await sampleBlog();
    const many = { day: { address: 100_000, user: 100_000 }, minute: 100_000 };
    [browser, service, strict, reader] = await Promise.all([
      startBrowser(),
      inProcessHome.serve(blog, { limits: many, site: { name: SITE } }),
      inProcessHome.serve(blog, { limits: { minute: 1 } }),
      serveFolder(`${ROOT}examples/reader`),
    ]);
    shared = await openSharedPage(browser);
    key = await service.createKey({ account: 'ada', name: 'reader' });
    await api.start();
    api.upstream = service.url;
  });

  afterEach(() => {
    api.upstream = service.url;
    api.content = undefined;
    api.seen.length = 0;
  });

  afterAll(async () => {
    reader?.close();
    api.close();
    await Promise.all([browser?.close(), service?.close(), strict?.close()]);
  });

  let settings: { dispose(): Promise<void> } | undefined;

  /** Opens the reader as a new visitor; closes the page that was open. */
  async function open(
    address: string,
    { key: chosen = '', images = [] }: Settings = {},
    options: Pick<BrowserContextOptions, 'colorScheme' | 'viewport'> = {},
  ): Promise<Visit> {
    const page = await shared.renew(reader.url, options);
    const visit: Visit = { page, errors: [], hosts: new Set(), bytes: 0 };
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') visit.errors.push(message.text());
    });
    page.on('pageerror', (error) => visit.errors.push(error.message));
    page.on('request', (request) => {
      const { protocol, host } = new URL(request.url());
      if (protocol !== 'data:') visit.hosts.add(host);
    });
    page.on('response', (response) => {
      if (response.url().startsWith(reader.url))
        visit.bytes += Number(response.headers()['content-length'] ?? 0);
    });
    await settings?.dispose();
    settings = await page.addInitScript(`
      window.shift = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
      }).observe({ type: 'layout-shift', buffered: true });
      if (!localStorage.getItem('reader.settings')) {
        sessionStorage.clear();
        localStorage.setItem('reader.settings', '${JSON.stringify({ api: api.url, key: chosen, images })}');
      }
    `);
    await page.goto(reader.url + address);
    await settled(page);
    return visit;
  }

  const settled = (page: Page) => page.waitForSelector('main[aria-busy=false]');
  const heading = (page: Page) => page.locator('main h1').innerText();
  const asked = (start: string) =>
    api.seen.filter(({ method, url }) => method === 'GET' && decodeURI(url).startsWith(start));

  it('shows a list from another origin, without third parties, errors or layout shifts', async () => {
    const visit = await open('');
    await expect.poll(() => visit.page.locator('[name=tag] option').count()).toBeGreaterThan(20);

    expect(await visit.page.locator('.posts > li').count()).toBe(12);
    expect(await visit.page.locator('#status').innerText()).toBe('39 articles, page 1 of 4');
    expect(await visit.page.locator('.quota .words').innerText()).toMatch(/^[\d,]+ left$/);
    expect(visit.errors).toEqual([]);
    expect([...visit.hosts].sort()).toEqual([new URL(reader.url).host, new URL(api.url).host].sort());
    expect(await visit.page.evaluate<number>('window.shift')).toBe(0);
    expect(visit.bytes).toBeLessThan(80_000);
    expect(api.seen.map(({ method }) => method)).toEqual(Array(5).fill('GET'));
    await expect.poll(() => visit.page.locator('.brand').innerText()).toBe(SITE);
  });

  it.each(['face.css', 'icon.svg'])('has a copy of %s, which all pages of Offprint have', async (name) => {
    const original = readFileSync(`${ROOT}build/page/${name}`, 'utf8');
    await expect(original).toMatchFileSnapshot(`${ROOT}examples/reader/${name}`);
  });

  it('preloads every file that it needs, and no other', async () => {
    const html = readFileSync(`${ROOT}examples/reader/index.html`, 'utf8');
    const named = [...html.matchAll(/(?:src|href)="([\w-]+\.\w+)"/g)].map(([, name = '']) => name);
    const files = await fastGlob(['*', '!README.md', '!index.html', '!*.d.ts'], {
      cwd: `${ROOT}examples/reader`,
    });
    expect([...new Set(named)].sort()).toEqual(files.sort());
  });

  it('filters and sorts, and each state has an address', async () => {
    const { page } = await open('');
    await expect.poll(() => page.locator('[name=tag] option').count()).toBeGreaterThan(20);
    await page.selectOption('[name=tag]', 'publishing');
    await expect.poll(() => heading(page)).toBe('publishing');
    await settled(page);
    await page.selectOption('[name=sort]', 'popular');
    await page.waitForURL('**/?tag=publishing&sort=popular');
    await settled(page);
    await page.locator('.pager a[rel=next]').click();
    await page.waitForURL('**/?tag=publishing&sort=popular&page=2');
    await settled(page);
    const second = await page.locator('.posts h2').allInnerTexts();

    const fresh = await open('/?tag=publishing&sort=popular&page=2');
    expect(await fresh.page.locator('.posts h2').allInnerTexts()).toEqual(second);
    await expect.poll(() => fresh.page.locator('[name=tag]').inputValue()).toBe('publishing');
    expect(await fresh.page.locator('[name=sort]').inputValue()).toBe('popular');
  });

  it('searches once after a pause in typing, keeps the focus, and announces the result', async () => {
    const { page } = await open('');
    await page.locator('#q').focus();
    // In one task of the browser: on a busy machine, the pause may be over between two keys.
    await page.locator('#q').evaluate((field: { value: string; dispatchEvent(event: Event): void }) => {
      for (const value of ['k', 'kn', 'kno', 'knot']) {
        field.value = value;
        field.dispatchEvent(new Event('input', { bubbles: true }));
      }
    });
    await expect.poll(() => heading(page)).toBe('Search: knot');
    await settled(page);
    expect(asked(`${POSTS}?q=`).map(({ url }) => new URL(url, api.url).searchParams.get('q'))).toEqual([
      'knot',
    ]);
    expect(await page.evaluate('document.activeElement.id')).toBe('q');
    expect(await page.locator('#status').innerText()).toBe('1 article');
    await page.goBack();
    await expect.poll(() => heading(page)).toBe('All articles');
  });

  it('says that nothing was found, or that there are no articles yet', async () => {
    const { page, errors } = await open('/?q=zzzz');
    expect(await page.locator('.notice').innerText()).toContain('Nothing was found');
    const empty = await inProcessHome.serve(await emptyBlog());
    api.upstream = empty.url;
    await page.goto(reader.url);
    await settled(page);
    expect(await page.locator('.notice').innerText()).toContain('No articles yet');
    await empty.close();
    expect(errors).toEqual([]);
  });

  it('opens an article and goes back: focus moves to the heading, then to the link', async () => {
    const { page, errors } = await open('/?page=2');
    const link = page.locator('.posts h2 a').nth(9);
    const title = await link.innerText();
    await link.click();
    await expect.poll(() => page.evaluate('document.activeElement.localName')).toBe('h1');
    expect(await heading(page)).toBe(title);
    await expect.poll(() => page.title()).toBe(`${title} · ${SITE}`);
    expect(await page.evaluate('scrollY')).toBe(0);
    await page.goBack();
    await page.waitForURL('**/?page=2');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe(title);
    expect(await page.evaluate<number>('scrollY')).toBeGreaterThan(300);
    await page.goForward();
    await expect.poll(() => heading(page)).toBe(title);
    expect(errors).toEqual([]);
  });

  it('describes an error, and offers a next step', async () => {
    for (const [address, says] of [
      ['/?post=none', /Not found[^]*All articles/],
      [`/?q=${'a+'.repeat(9)}`, /at most 8 terms/],
      ['/?page=99', /To the first page/],
    ] as const)
      expect(await (await open(address)).page.locator('main').innerText()).toMatch(says);
    const { page } = await open('/?post=brevity', { key: 'opk_none' });
    expect(await heading(page)).toBe('The key is not valid');
    api.upstream = 'http://127.0.0.1:9';
    await page.goto(`${reader.url}/?post=dates`);
    await expect.poll(() => heading(page)).toBe('No connection');
  });

  it('uses another key from its settings, and sends it in a header', async () => {
    const { page } = await open('');
    await page.locator('#open-settings').click();
    await page.locator('[name=key]').fill(key.key);
    await Promise.all([page.waitForEvent('load'), page.locator('[name=key]').press('Enter')]);
    await settled(page);
    expect(asked(POSTS).at(-1)?.headers.authorization).toBe(`Bearer ${key.key}`);
    expect(page.url()).not.toContain('opk_');
  });

  it('shows right-to-left text, with code left to right', async () => {
    const arabic = await open(`/?post=${ARABIC}`);
    const directions = ['.prose', 'main h1', '.top'].map((part) => styleOf(arabic.page, part, 'direction'));
    expect(await Promise.all(directions)).toEqual(['rtl', 'rtl', 'ltr']);
    const chinese = await open(`/?post=${CHINESE}`);
    expect(await heading(chinese.page)).toContain(CHINESE);
    expect([...arabic.errors, ...chinese.errors]).toEqual([]);
  });

  it('shows code and tables that scroll by keyboard, and players as links', async () => {
    const { page, errors, hosts } = await open('/?post=why-iframe-needs-a-guest-list');
    expect(await page.locator('main iframe').count()).toBe(0);
    expect(await page.locator('a.elsewhere').first().getAttribute('href')).toMatch(
      /^https:\/\/www\.youtube-nocookie/,
    );
    await page.goto(`${reader.url}/?post=retry-after-is-not-a-birthday`);
    await settled(page);
    expect(await page.locator('pre[tabindex="0"]').count()).toBeGreaterThan(1);
    expect([...hosts].every((host) => host.startsWith('127.0.0.1'))).toBe(true);
    expect(errors).toEqual([]);
  });

  it('loads images only from the hosts in its settings', async () => {
    api.content =
      '<img src="https://blog.example/a.png" alt="A"><img src="https://elsewhere.example/b.png" alt="B">';
    const { page, hosts } = await open('/?post=brevity', { images: ['https://blog.example'] });
    expect(await page.locator('.prose img').getAttribute('src')).toBe('https://blog.example/a.png');
    await expect.poll(() => [...hosts]).toContain('blog.example');
    expect(await page.locator('a.elsewhere').innerText()).toBe('Image: B (on elsewhere.example)');
    expect([...hosts]).not.toContain('elsewhere.example');
  });

  it('is safe even if the API is not: nothing runs, loads or escapes', async () => {
    api.content = HOSTILE;
    const { page, errors, hosts } = await open('/?post=brevity');
    await page.locator('.prose a', { hasText: 'press me' }).click();
    await page.locator('.prose a', { hasText: 'sum' }).click();
    expect(await page.evaluate('window.pwned')).toBeUndefined();
    expect(await page.evaluate("document.querySelector('.prose').innerHTML")).not.toMatch(
      /script|onerror|onclick|javascript:|<form|<svg|<iframe|url\(|position/i,
    );
    expect(await page.locator('[id=status]').count()).toBe(1);
    expect(await styleOf(page, '.prose p', 'textAlign')).toBe('center');
    expect([...hosts].every((host) => host.startsWith('127.0.0.1'))).toBe(true);
    // The browser reports what it blocked, while it parses the article.
    expect(errors.filter((error) => !/Content Security Policy/.test(error))).toEqual([]);
    expect(await heading(page)).toBe('On Brevity');
  });

  it('prevents the rest of the page from making HTML or contacting other hosts', async () => {
    const { page } = await open('');
    for (const code of [
      "document.body.innerHTML = '<p>x</p>'",
      "trustedTypes.createPolicy('article', { createHTML: (s) => s })",
      "await fetch('https://elsewhere.example/')",
      `await fetch('${service.url}/api/public/v1')`,
    ])
      await expect(page.evaluate(`(async () => { ${code}; })()`), code).rejects.toThrow('TypeError');
  });

  it.each([
    ['a list', '', 'light', 1440],
    ['a list', '', 'dark', 1440],
    ['a list', '', 'light', 390],
    ['a list', '', 'dark', 390],
    ['an article', '/?post=offprint-from-end-to-end', 'light', 390],
    ['an article', '/?post=offprint-from-end-to-end', 'dark', 1440],
    ['an author', '/?author=greta', 'dark', 1440],
    ['nothing found', '/?q=zzzz', 'light', 390],
    ['a fault', '/?post=none', 'light', 1440],
  ] as const)('is accessible, and fits: %s, %s, %d px', async (_, address, colorScheme, width) => {
    const { page } = await open(address, {}, { colorScheme, viewport: { width, height: 844 } });
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.locator('#open-settings').click();
    expect(await accessibilityFindings(page, 'dialog')).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });

  it('counts down after a 429, then retries', async () => {
    const { page } = await open('/?post=brevity');
    await page.clock.install(); // Permanent, so this is the last test with the shared page.
    api.upstream = strict.url;
    await page.locator('.brand').click(); // The only request of this minute.
    await expect.poll(() => heading(page)).toBe('All articles');
    await page.locator('.pager a[rel=next]').click();
    await expect.poll(() => heading(page)).toBe('A short break');
    expect(await page.locator('.clock').innerText()).toMatch(/^\d+ s$/);
    expect(await page.locator('#status').innerText()).toContain(
      'The limit of 1 requests per minute is reached.',
    );

    api.upstream = service.url;
    await page.clock.fastForward(61_000);
    await expect.poll(() => page.locator('#status').innerText()).toBe('39 articles, page 2 of 4');
    expect(asked(`${POSTS}?page=2`).map(({ status }) => status)).toEqual([429, 200]);
  });
});

const HOSTILE = `
  <script>window.pwned = 1</script><img src=x onerror="window.pwned = 2"><svg onload="window.pwned = 3"></svg>
  <p style="text-align: center; position: fixed; background: url(https://elsewhere.example/x)" id="status">words</p>
  <a href="javascript:window.pwned = 4">press me</a> <a href=" java\nscript:window.pwned = 5">sum</a>
  <iframe srcdoc="<script>top.pwned = 6</script>"></iframe><form action="https://elsewhere.example/"><button>b</button></form>
  <style>body { display: none }</style><link rel=stylesheet href=https://elsewhere.example/a.css>
  <noscript><p title="</noscript><img src=x onerror='window.pwned = 7'>"></noscript>
  <base href="https://elsewhere.example/"><meta http-equiv=refresh content="0;url=https://elsewhere.example/">
  <math><mtext><table><mglyph><style><img src=x onerror="window.pwned = 8"></style></mglyph></table></mtext></math>
  <video src="https://elsewhere.example/v.mp4" autoplay></video><custom-element onclick="window.pwned = 9">text</custom-element>`;

const styleOf = (page: Page, selector: string, property: string) =>
  page.evaluate(`getComputedStyle(document.querySelector('${selector}')).${property}`);
