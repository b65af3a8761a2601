import { describe, expect, test } from 'vitest';
import { failure } from '../shapes.ts';
import type { Cases } from './suite.ts';

const WRONG_NUMBERS = ['', '0', '-1', '1.5', '1e1', '0x10', 'abc', '1;2', 'NaN', '%2B1', '1%00', '%D9%A1'];

/** Parameters that cannot be read, or are out of range. */
export const posts400: Cases = (stage) => {
  const refused = async (path: string, named?: string) => {
    const reply = await stage().caller.get(path);
    expect(reply.status, `${path}: ${reply.text}`).toBe(400);
    const { message } = failure.parse(reply.json);
    if (named !== undefined) expect(message).toContain(named);
  };

  describe.each(['/posts', '/authors'])('%s: 400', (path) => {
    test.each([...WRONG_NUMBERS, '51', '100', '-0', '99999999999999999999'])('per_page=%s', async (value) => {
      await refused(`${path}?per_page=${value}`, 'per_page');
    });

    test.each([...WRONG_NUMBERS, '1000001', '99999999999999999999', '1e3'])('page=%s', async (value) => {
      await refused(`${path}?page=${value}`, 'page');
    });

    test.each(['page=1&page=2', 'page=1&page=1', 'per_page=5&page=1&per_page=5', 'page=1&p%61ge=1'])(
      'the same parameter twice: %s',
      async (query) => {
        await refused(`${path}?${query}`, 'page');
      },
    );

    test.each(['page=%', 'page=%1', 'per_page=%zz', 'page=1%'])(
      'invalid percent-encoding: %s',
      async (query) => {
        await refused(`${path}?${query}`);
      },
    );
  });

  describe('/posts: 400', () => {
    test.each(['', 'bogus', 'NEW', 'new%20', 'new,old', '__proto__', 'constructor', 'toString'])(
      'unknown sort: "%s"',
      async (value) => {
        await refused(`/posts?sort=${value}`, 'sort');
      },
    );

    test.each([
      'q=a&q=a',
      'q=&q=',
      'sort=new&sort=old',
      'category=news&category=news',
      'author=ada&author=Ada',
    ])('the same parameter twice: %s', async (query) => {
      await refused(`/posts?${query}`, query.slice(0, query.indexOf('=')));
    });

    test.each([
      'q=100%',
      'q=%zz',
      'tag=%C3%28',
      'q=%FF',
      'author=%E0%A4%A',
      'category=%ED%A0%80',
      'q=%C0%AF',
    ])('invalid percent-encoding, of bytes or of UTF-8: %s', async (query) => {
      await refused(`/posts?${query}`);
    });

    test.each(['/posts/%', '/posts/%zz', '/posts/%FF', '/authors/%E0%A4%A'])(
      'invalid percent-encoding in the path: %s',
      async (path) => {
        await refused(path);
      },
    );

    test('comes before 422 if both apply', async () => {
      await refused(`/posts?per_page=0&q=${'x'.repeat(101)}`, 'per_page');
      await refused(`/posts?q=${'x'.repeat(101)}&sort=bogus`, 'sort');
    });
  });

  describe.each(['', '/me', '/categories', '/tags', '/authors/ada', '/posts/everything-set'])(
    '"%s" takes no parameters, and ignores them',
    (path) => {
      test.each(['page=0', 'per_page=1000', 'sort=bogus', `q=${'x'.repeat(101)}`])('%s', async (query) => {
        const reply = await stage().caller.get(`${path}?${query}`);
        expect(reply.status).toBe(200);
        if (path !== '/me') expect(reply.text).toBe((await stage().caller.get(path)).text);
      });
    },
  );

  describe('unknown parameters may be repeated', () => {
    test.each([
      ['/posts', 'utm=1&utm=2'],
      ['/posts', 'utm_source=a&utm_source=b&utm_source=c&q='],
      ['/authors', 'q=a&q=b'],
      ['/tags', 'page=1&page=2'],
      ['/posts/everything-set', 'tag=a&tag=b'],
      ['/me', 'x&x'],
      ['', 'sort=new&sort=old'],
    ])('%s?%s', async (path, query) => {
      const reply = await stage().caller.get(`${path}?${query}`);
      expect(reply.status, reply.text).toBe(200);
    });
  });

  test('/authors ignores parameters that only /posts has', async () => {
    const reply = await stage().caller.get('/authors?sort=bogus&q=x&category=y&tag=z');
    expect(reply.json).toEqual((await stage().caller.get('/authors')).json);
  });
};
