/**
 * The packed client in a page of another origin than the API.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiProxy, startApiProxy } from '../examples/api-proxy.ts';
import { sampleBlog } from '../service/blogs.ts';
import { HAS_BROWSER, startBrowser } from '../service/browser.ts';
import type { Service } from '../service/home.ts';
import { inProcessHome } from '../service/in-process-home.ts';
import { clientModules } from './installed.ts';
import { lacks } from '../lacks.ts';

describe.skipIf(lacks('Chromium', HAS_BROWSER))('the client in Chromium', () => {
  let browser: Browser;
  let service: Service;
  let api: ApiProxy;
  /** An empty page, and the client's files. */
  let site: Server;
  beforeAll(async () => {
    const modules = await clientModules();
    [browser, service] = await Promise.all([startBrowser(), inProcessHome.serve(await sampleBlog())]);
    api = await startApiProxy(service.url);
    site = createServer(({ url = '/' }, response) => {
      const script = modules.get(url.slice(1));
      response.setHeader('Content-Type', script === undefined ? 'text/html' : 'text/javascript');
      response.end(script ?? '<title>Page</title>');
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    await Promise.all([browser?.close(), service?.close(), api?.close()]);
    site?.close();
  });

  it('reads the blog, updates a copy, and leaves revalidation to the browser', async () => {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    const outcome = await page.evaluate(`(async () => {
      const { createClient, OffprintError } = await import('/index.js');
      const blog = createClient({ url: ${JSON.stringify(api.url)} });
      const articles = new Map();
      const { changed } = await blog.sync({
        load() {}, save() {}, delete() {},
        put: (article) => void articles.set(article.slug, article), slugs: () => articles.keys(),
      });
      await blog.posts({ per_page: 2 });
      const again = await blog.posts({ per_page: 2 });
      const missing = await blog.post('nowhere').catch((error) => error);
      const control = new AbortController();
      const ended = blog.tags({ signal: control.signal }).catch((error) => error.name);
      control.abort();
      return [
        changed.length, articles.get('brevity').title, again.items.length,
        missing instanceof OffprintError && missing.status, await ended,
      ];
    })()`);
    expect(outcome).toEqual([39, 'On Brevity', 2, 404, 'AbortError']);
    // Without a header of its own there is no preflight, and the browser caches for a minute.
    expect(new Set(api.seen.map(({ method }) => method))).toEqual(new Set(['GET']));
    expect(api.seen.filter(({ url }) => url.endsWith('/posts?per_page=2'))).toHaveLength(1);
    await page.close();
  });
});
