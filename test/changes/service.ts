import { expect } from 'vitest';
import { z } from 'zod';
import { PREFIX } from '../../contract/api.ts';
import { freshSnapshot } from '../../gateway/fetch/fresh-snapshot.ts';
import { Gateway } from '../../gateway/gateway.ts';
import type { SnapshotStore } from '../../gateway/home.ts';
import { DiskSnapshotStore } from '../../gateway/node/disk-snapshot-store.ts';
import { countRequest, newTally } from '../../gateway/quota.ts';
import { CurrentSnapshot } from '../../gateway/snapshot/current.ts';
import { newestSnapshot } from '../../gateway/snapshot/newest.ts';
import { LIMITS } from '../build/publishing.ts';
import { detail, paged, success, summary, timestamp } from '../conformance/shapes.ts';
import type { Article, Reply } from './copy.ts';

/** An article in a list with `include=dates`. */
const dated = z.strictObject({ ...summary.shape, updated_at: timestamp.nullable() });

/** A gateway without HTTP. */
export type Service = Awaited<ReturnType<typeof gatewayOf>>;

/**
 * The gateway over an output, or another store of snapshots, without HTTP. It follows publishes only when `refresh` is
 * called, or when a request needs that; a store at a distance also after five seconds, as in an isolate.
 */
export async function gatewayOf(from: string | SnapshotStore) {
  const tally = newTally();
  const count: ConstructorParameters<typeof Gateway>[1]['count'] = (principal) => {
    tally.times.length = tally.counts.length = 0;
    return countRequest(tally, principal, LIMITS, Date.now());
  };
  const faults: unknown[] = [];
  const reportError = (error: unknown) => void faults.push(error);
  const gateway = new Gateway({ find: () => null, now: Date.now }, { count, peek: count }, { reportError });
  const current = new CurrentSnapshot(typeof from === 'string' ? new DiskSnapshotStore(from) : from, {
    objectBytes: 2 ** 22,
    answerBytes: 2 ** 20,
  });
  let readAt = Date.now();
  const refresh = () => {
    readAt = Date.now();
    return current.refresh();
  };
  await refresh();
  const isolate = freshSnapshot(current, reportError, () => readAt);
  const newest = newestSnapshot(refresh, { now: Date.now, wait: async () => undefined });

  const ask = async (endpoint: string, query: Record<string, string> = {}): Promise<Reply> => {
    const isFar = typeof from !== 'string';
    const snapshot = isFar ? await isolate.get() : current.get();
    if (!snapshot) throw new Error('Nothing is published.');
    const request = {
      method: 'GET',
      target: `${PREFIX}${endpoint}?${new URLSearchParams(query).toString()}`,
      header: () => undefined,
      addressId: () => 'address:test',
    };
    const { status, headers, body } = await gateway.handle(
      request,
      snapshot,
      isFar ? isolate.newest : newest,
    );
    const header = (name: string) => headers[headers.indexOf(name) + 1] ?? '';
    const text = new TextDecoder().decode(body ?? new Uint8Array());
    return { status, snapshot: status === 200 ? header('X-Snapshot') : '', header, body: JSON.parse(text) };
  };
  const get = async (endpoint: string, query: Record<string, string> = {}): Promise<unknown> => {
    const { status, body } = await ask(endpoint, query);
    expect(status, `${endpoint} ${JSON.stringify([query, body])}`).toBe(200);
    return body;
  };

  /** All articles, oldest first, from the lists and articles of the interface, which other tests compare with plain SQL. */
  const everything = async (): Promise<Article[]> => {
    const articles: Article[] = [];
    for (let page = 1, last = 1; page <= last; page++) {
      const query = { sort: 'old', per_page: '50', page: String(page), include: 'dates' };
      const { items, meta } = success(paged(dated)).parse(await get('/posts', query)).data;
      last = meta.last_page;
      for (const { views: _, ...item } of items) {
        const whole = await get(`/posts/${encodeURIComponent(item.slug)}`);
        const { content, seo } = success(detail).parse(whole).data;
        articles.push({ ...item, content, seo });
      }
    }
    return articles;
  };

  return { refresh, ask, get, faults, everything };
}

/** Sorted, so that order does not matter. */
export function sorted(articles: Iterable<Article>): Article[] {
  return [...articles].sort((a, b) => (a.slug < b.slug ? -1 : 1));
}
