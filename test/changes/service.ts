import { expect } from 'vitest';
import { PREFIX } from '../../contract/api.ts';
import { Gateway } from '../../gateway/gateway.ts';
import type { SnapshotStore } from '../../gateway/home.ts';
import { DiskSnapshotStore } from '../../gateway/node/disk-snapshot-store.ts';
import { countRequest, newTally } from '../../gateway/quota.ts';
import { CurrentSnapshot } from '../../gateway/snapshot/current.ts';
import { LIMITS } from '../build/publishing.ts';
import { detail, paged, success, summary } from '../conformance/shapes.ts';
import type { Article } from './copy.ts';

/** The gateway over an output, or another store of snapshots, without HTTP. */
export async function gatewayOf(from: string | SnapshotStore) {
  const tally = newTally();
  const count: ConstructorParameters<typeof Gateway>[1]['count'] = (principal) => {
    tally.times.length = tally.counts.length = 0;
    return countRequest(tally, principal, LIMITS, Date.now());
  };
  const fault = (error: unknown) => {
    throw error;
  };
  const gateway = new Gateway({ find: () => null }, { count, peek: count }, { failed: fault });
  const current = new CurrentSnapshot(typeof from === 'string' ? new DiskSnapshotStore(from) : from, {
    objectBytes: 2 ** 22,
    answerBytes: 2 ** 20,
  });
  await current.refresh();

  const get = async (endpoint: string, query: Record<string, string> = {}): Promise<unknown> => {
    const snapshot = current.get();
    if (!snapshot) throw new Error('Nothing is published.');
    const request = {
      method: 'GET',
      target: `${PREFIX}${endpoint}?${new URLSearchParams(query).toString()}`,
      header: () => undefined,
      addressId: () => 'address:test',
    };
    const { status, body } = await gateway.handle(request, snapshot);
    const text = new TextDecoder().decode(body ?? new Uint8Array());
    expect(status, `${request.target}: ${text}`).toBe(200);
    return JSON.parse(text);
  };

  return {
    refresh: () => current.refresh(),
    get,
    everything: () => allArticlesOf(get),
  };
}

/**
 * All articles, oldest first, from the lists and articles of the interface, which other tests compare with plain
 * SQL.
 */
export async function allArticlesOf(
  get: (endpoint: string, query?: Record<string, string>) => Promise<unknown>,
): Promise<Article[]> {
  const articles: Article[] = [];
  for (let page = 1, last = 1; page <= last; page++) {
    const reply = await get('/posts', { sort: 'old', per_page: '50', page: String(page) });
    const { items, meta } = success(paged(summary)).parse(reply).data;
    last = meta.last_page;
    for (const { views: _, ...item } of items) {
      const whole = await get(`/posts/${encodeURIComponent(item.slug)}`);
      const { content, seo } = success(detail).parse(whole).data;
      articles.push({ ...item, content, seo });
    }
  }
  return articles;
}

/** Sorted, so that order does not matter. */
export function sorted(articles: Iterable<Article>): Article[] {
  return [...articles].sort((a, b) => (a.slug < b.slug ? -1 : 1));
}
