import { describe, expect, test } from 'vitest';
import { named } from '../../service/odd-blog.ts';
import { failure } from '../shapes.ts';
import type { Cases } from './suite.ts';

/** GET /posts/{slug} of an unpublished or unknown post. */
export const post404: Cases = (stage) => {
  describe('/posts/{slug}: 404', () => {
    test.each([
      named.draft,
      'a-draft-with-a-date',
      named.archived,
      named.future,
      named.scheduled,
      'nothing-like-it',
      'everything-se',
      'Everything-Set',
      '%EF%BC%A3ase', // Full-width C instead of the C of "Case".
      'valueOf',
      'snapshot',
      '..%2Fsnapshot.json',
      '..%5C..%5Ckeys',
      '..%2f..%2f..%2f..%2f..%2f..%2fetc%2fpasswd',
      encodeURIComponent('\u{1f980}'.repeat(300)),
    ])('%s', async (slug) => {
      const reply = await stage().caller.get(`/posts/${slug}`);
      expect(reply.status, reply.text).toBe(404);
      failure.parse(reply.json);
    });
  });
};
