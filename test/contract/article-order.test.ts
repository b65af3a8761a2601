import { expect, test } from 'vitest';
import { compareKeys, parseArticleKey } from '../../contract/article-order.ts';
import { slugIn, summaryPrefix } from '../../contract/records.ts';

const SLUGS = ['', 'a', 'ab', 'b', 'z', 'é', 'ﬁ', '日本', '\u{1F4DA}', '\u{1F4DA}a', '\uFFFD'];

test('articles are ordered by time, then by the bytes of their slugs', () => {
  const keys = SLUGS.flatMap((slug) => [1, 2].map((time) => ({ time, slug })));
  const byBytes = keys.toSorted(
    (a, b) => a.time - b.time || Buffer.compare(Buffer.from(a.slug), Buffer.from(b.slug)),
  );
  expect(keys.toSorted(compareKeys)).toEqual(byBytes);
  expect(keys.toReversed().toSorted(compareKeys)).toEqual(byBytes);
});

test('a summary has the time and the slug of its article', () => {
  const summary = '{"slug":"a \\"b\\"","title":"x","published_at":"1970-01-01T01:00:01+01:00"}';
  expect(parseArticleKey(summary)).toEqual({ time: 1, slug: 'a "b"' });
  expect([slugIn(summary), summary.startsWith(summaryPrefix('a "b"'))]).toEqual(['a "b"', true]);
});
