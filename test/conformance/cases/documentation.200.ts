import { describe, expect, test } from 'vitest';
import { type Call, send } from '../../service/client.ts';
import { freshAddress } from '../caller.ts';
import { quotaOf } from '../fields.ts';
import type { Cases } from './suite.ts';

/** Outside of the interface: the page, the description, and the files of the page. */
export const documentation200: Cases = (stage) => {
  const ask = (path: string, more: Omit<Call, 'path'> = {}) => {
    const { service } = stage();
    return send(service.url, { path, ...more, headers: { ...service.from('192.0.2.1'), ...more.headers } });
  };
  const filesOfPage = async () => {
    const { text } = await ask('/');
    return [...text.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map(([, path = '']) => path);
  };

  describe('documentation: 200', () => {
    test('the page is HTML; it cannot run foreign scripts or be framed', async () => {
      const reply = await ask('/');
      expect(reply.status).toBe(200);
      expect(reply.header('Content-Type')).toBe('text/html; charset=utf-8');
      expect(reply.text).toMatch(/^<!doctype html>/i);
      const policy = reply.header('Content-Security-Policy');
      expect(policy).toMatch(/^default-src 'none'; script-src 'self'; /);
      expect(policy).toContain("frame-ancestors 'none'");
    });

    test('the description is JSON that any origin may read', async () => {
      const reply = await ask('/openapi.json');
      expect(reply.status).toBe(200);
      expect(reply.header('Content-Type')).toMatch(/^application\/json\b/);
      expect(reply.header('Access-Control-Allow-Origin')).toBe('*');
      expect(reply.json).toMatchObject({ openapi: '3.1.0' });
    });

    test('the files of the page exist and can be cached forever', async () => {
      const paths = await filesOfPage();
      expect(new Set(paths.map((path) => path.replace(/.*\./, '')))).toEqual(new Set(['css', 'js', 'svg']));
      for (const path of paths) {
        const reply = await ask(path);
        expect(reply.status, path).toBe(200);
        expect(reply.header('Cache-Control'), path).toBe('public, max-age=31536000, immutable');
        expect(reply.header('X-Content-Type-Options'), path).toBe('nosniff');
      }
    });

    test.each(['/', '/openapi.json'])('%s has an ETag, and no body for 304 and HEAD', async (path) => {
      const get = await ask(path);
      const etag = get.header('ETag') ?? '';
      expect(etag).toMatch(/^(?:W\/)?"[^"]+"$/);
      const again = await ask(path, { headers: { 'if-none-match': etag } });
      expect([again.status, again.text]).toEqual([304, '']);
      expect((await ask(path, { headers: { 'if-none-match': '"another"' } })).status).toBe(200);
      const head = await ask(path, { method: 'HEAD' });
      expect([head.status, head.text]).toEqual([200, '']);
      for (const name of ['Content-Type', 'ETag']) expect(head.header(name)).toBe(get.header(name));
    });

    test('none of it is counted', async () => {
      const address = freshAddress();
      await stage().caller.get('/me', { address });
      for (const path of ['/', '/openapi.json', ...(await filesOfPage())]) {
        await ask(path, { headers: stage().service.from(address) });
      }
      expect(quotaOf(await stage().caller.get('/me', { address })).used).toBe(2);
    });
  });
};
