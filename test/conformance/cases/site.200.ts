import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { send } from '../../service/client.ts';
import { readDescription } from '../described.ts';
import type { Stage } from '../stage.ts';

/** The public site of `SITE_SETTINGS`. */
export const SITE = {
  url: 'https://www.public.example',
  paths: { post: '/{slug}.html', category: '/in/{slug}/', tag: '/?tag={slug}' },
};

const urls = z.object({ data: z.array(z.object({ slug: z.string(), url: z.string() })) });
const pagedUrls = z.object({
  data: z.object({ items: z.array(z.object({ slug: z.string(), url: z.string() })) }),
});

/** The public address of the service behind a proxy, which it cannot see itself. */
export const API_URL = 'https://api.example:8443';

/** URLs follow the site settings. */
export function site200(stage: () => Stage): void {
  describe('a blog with site settings', () => {
    const expected = (pattern: string, slug: string) =>
      SITE.url + pattern.split('{slug}').join(encodeURIComponent(slug));

    test('posts', async () => {
      const reply = await stage().caller.get('/posts?sort=old&per_page=50');
      const { items } = pagedUrls.parse(reply.json).data;
      const own = new Set(['everything-set', 'cover-path']);
      for (const { slug, url } of items.filter(({ slug }) => !own.has(slug))) {
        expect(url).toBe(expected(SITE.paths.post, slug));
      }
      const paths = pagedUrls.parse((await stage().caller.get('/posts?q=cover-path')).json).data.items;
      expect(paths.map(({ url }) => url)).toEqual([`${SITE.url}/its/own/path`]);
    });

    test('targets of Link are absolute', async () => {
      for (const path of [
        '/posts?per_page=2&page=2&q=%3C/%3E',
        '/posts?per_page=2&page=2',
        '/authors?per_page=1&page=2',
      ]) {
        const link = (await stage().caller.get(path)).header('Link') ?? '';
        const targets = [...link.matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(
          ([, target = '']) => new URL(target),
        );
        expect(targets.length).toBeGreaterThan(2);
        for (const { origin, pathname } of targets) {
          expect(origin + pathname).toBe(`${API_URL}/api/public/v1${path.slice(0, path.indexOf('?'))}`);
        }
      }
    });

    test('the description and the page have the public address', async () => {
      const { servers } = await readDescription(stage().service.url);
      expect(servers.map(({ url }) => url)).toEqual([`${API_URL}/api/public/v1`]);
      const page = await send(stage().service.url, { path: '/' });
      expect(page.text).toContain(
        `curl</span> <span class="tok-string">&quot;${API_URL}/api/public/v1/posts`,
      );
      expect(page.text).not.toContain('this-service');
      expect(page.header('Content-Security-Policy')).toContain(`connect-src 'self' ${API_URL};`);
    });

    test.each(['categories', 'tags'] as const)('%s', async (kind) => {
      const { data } = urls.parse((await stage().caller.get(`/${kind}`)).json);
      const pattern = kind === 'tags' ? SITE.paths.tag : SITE.paths.category;
      expect(data.length).toBeGreaterThan(10);
      for (const { slug, url } of data) expect(url).toBe(expected(pattern, slug));
    });
  });
}
