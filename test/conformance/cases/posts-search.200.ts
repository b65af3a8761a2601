import { describe, expect, test } from 'vitest';
import type { PostsQuery } from '../../oracle/oracle.ts';
import { list, readPosts } from './read-posts.ts';
import type { Cases } from './suite.ts';

/** GET /posts by q. */
export const postsSearch200: Cases = (stage) => {
  const read = (query: PostsQuery = {}) => readPosts(stage(), query);

  describe('/posts by q: 200', () => {
    test.each([
      '100%',
      '%',
      '\\',
      '"',
      "'); DROP TABLE posts;--",
      '<script>',
      'null',
      '__proto__',
      'istanbul',
      '\u0130stanbul',
      'i\u0307stanbul',
      '\u0131L\u0131K',
      'stra\u00dfe',
      'STRASSE',
      'gro\u00dfe',
      'fi',
      '\ufb01',
      'office',
      'o\ufb03ce',
      'fullwidth',
      '\uff46\uff55\uff4c\uff4c',
      '\u30ac\u30ae',
      '\u30ab\u3099',
      'caf\u00e9',
      'cafe\u0301',
      'te',
      '\u1e05',
      'a\u0307\u0323',
      '\u7a7a\u767d',
      '\u0627\u0644\u0639\u0631\u0628\u064a\u0629',
      '\u0635\u0644\u0649 \u0627\u0644\u0644\u0647',
      '\ufdfa',
      '\ufefb',
      '\u{1f980}',
      '\u{1f469}\u200d\u{1f4bb}',
      '\u039f\u0394\u039f\u03a3',
      '\u03bf\u03b4\u03bf\u03c3',
      '1\u20442',
      'x2',
      '\u00e5',
      'K',
      '\u01f0',
      'J\u030c',
      '\u00a8',
      'le need',
      'a b c d e f g h',
      '\u3000needle\u3000haystack',
      ' needle ',
      'machine learning',
      'learning machine',
      'c++ machine',
      '\u{1f600}'.repeat(100),
    ])('q finds every term as a substring, in any case and any script: %s', async (q) => {
      await read({ q, per_page: 50 });
    });

    test.each([
      ['needle', ['needle', 'in the middle']],
      ['NEED', ['needle', 'in the middle', 'Ends with a need']],
      ['haystack MIDDLE', ['in the middle']],
      ['\uff4e\uff45\uff45\uff44\uff4c\uff45', ['needle', 'in the middle']],
    ])('q finds these posts: %s', async (q, titles) => {
      const { items } = await read({ q, sort: 'old' });
      expect(items.map(({ title }) => title).toSorted()).toEqual(titles.toSorted());
    });

    test.each(['', '+', '%20%20', '%E3%80%80'])('an empty or blank q is ignored: "%s"', async (q) => {
      const reply = await stage().caller.get(`/posts?q=${q}`);
      expect(list.parse(reply.json).data).toEqual(stage().oracle.posts());
    });

    test('a plus sign in the query is a space', async () => {
      const reply = await stage().caller.get('/posts?q=middle+haystack&tag=Machine+Learning');
      const expected = stage().oracle.posts({ q: 'middle haystack', tag: 'Machine Learning' });
      expect(list.parse(reply.json).data).toEqual(expected);
      const one = await stage().caller.get('/posts?q=middle+haystack');
      expect(list.parse(one.json).data.meta.total).toBe(1);
    });
  });
};
