import { describe, expect, test } from 'vitest';
import { failure } from '../shapes.ts';
import type { Cases } from './suite.ts';

/** Text that can be read but fails validation. `errors` has the reasons by parameter. */
export const posts422: Cases = (stage) => {
  const errorsOf = async (query: string) => {
    const reply = await stage().caller.get(`/posts?${query}`);
    expect(reply.status, `${query}: ${reply.text}`).toBe(422);
    return failure.parse(reply.json).errors ?? {};
  };

  describe('/posts: 422', () => {
    test.each([
      ['q', 'x'.repeat(101)],
      ['q', encodeURIComponent('\u00e9'.repeat(101))],
      ['q', encodeURIComponent('\u{1f600}'.repeat(101))],
      ['q', 'a%20b%20c%20d%20e%20f%20g%20h%20i'],
      ['q', 'a+a+a+a+a+a+a+a+a'],
      ['q', 'a%00b'],
      ['q', '%07'],
      ['q', '%7F'],
      ['q', '%1B%5B31m'],
      ['category', 'x'.repeat(201)],
      ['category', 'a%00'],
      ['tag', 'x'.repeat(201)],
      ['tag', '%00'],
      ['tag', encodeURIComponent('\u{1f980}'.repeat(201))],
      ['author', 'x'.repeat(201)],
      ['author', '%08ada'],
    ])('%s=%s', async (name, value) => {
      const errors = await errorsOf(`${name}=${value}`);
      expect(Object.keys(errors)).toEqual([name]);
    });

    test('names every invalid parameter with all its reasons', async () => {
      const errors = await errorsOf(
        `q=%00${'x'.repeat(101)}&category=${'x'.repeat(201)}&tag=%00${'x'.repeat(201)}&author=ada&page=2`,
      );
      expect(Object.keys(errors).sort()).toEqual(['category', 'q', 'tag']);
      expect(errors['q']).toHaveLength(2);
      expect(errors['tag']).toHaveLength(2);
    });

    test.each([
      ['q', 'x'.repeat(100)],
      ['q', encodeURIComponent('\u00e9'.repeat(100))],
      ['q', encodeURIComponent('\u{1f600}'.repeat(100))],
      ['q', 'a%20b%20c%20d%20e%20f%20g%20h'],
      ['category', encodeURIComponent('\u{1f980}'.repeat(200))],
      ['tag', 'x'.repeat(200)],
      ['author', 'x'.repeat(200)],
    ])('is not sent at the limit: %s=%s', async (name, value) => {
      expect((await stage().caller.get(`/posts?${name}=${value}`)).status).toBe(200);
    });
  });
};
