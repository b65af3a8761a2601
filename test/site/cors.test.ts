/**
 * A page of another origin, in Chromium: what it may send and read.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PREFIX } from '../../contract/api.ts';
import { emptyBlog } from '../service/blogs.ts';
import { HAS_BROWSER, startBrowser } from '../service/browser.ts';
import type { Service } from '../service/home.ts';
import { inProcessHome } from '../service/in-process-home.ts';
import { lacks } from '../lacks.ts';

describe.skipIf(lacks('Chromium', HAS_BROWSER))('a page of another origin', () => {
  let service: Service;
  let browser: Browser;
  let elsewhere: Server;
  beforeAll(async () => {
    service = await inProcessHome.serve(await emptyBlog());
    browser = await startBrowser();
    elsewhere = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html').end('<title>Elsewhere</title>');
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    elsewhere.close();
    await browser.close();
    await service.close();
  });

  test('may send harmless headers, and can read why a key is refused', async () => {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`);
    const ask = (headers: Record<string, string>) =>
      page.evaluate(
        async ({ url, headers }) => {
          const response = await fetch(url, { headers });
          return [response.status, response.headers.get('www-authenticate')] as const;
        },
        { url: `${service.url}${PREFIX}/tags`, headers },
      );
    for (const name of ['content-type', 'x-requested-with', 'traceparent', 'cache-control', 'if-match']) {
      const value = { 'content-type': 'application/json', 'if-match': '*' }[name] ?? 'anything';
      expect(await ask({ [name]: value }), name).toEqual([200, null]);
    }
    expect(await ask({ authorization: 'Bearer guess', 'x-trace': '1' })).toEqual([
      401,
      'Bearer realm="Offprint", error="invalid_token"',
    ]);
    await page.close();
  });
});
