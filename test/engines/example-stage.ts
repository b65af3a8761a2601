/**
 * A site of examples/ before its first build, and the service for it.
 */
import { onTestFinished } from 'vitest';
import { PREFIX } from '../../contract/api.ts';
import type { Settings } from '../service/home.ts';
import { exampleSite, type ExampleSite } from './example-sites.ts';
import type { Published } from './published-blog.ts';

/**
 * Requests of the first build: seven for the articles, two for the authors; one each for the overview, the
 * categories and the tags.
 */
export const REQUESTS = 12;

export interface Stage extends Published {
  readonly site: ExampleSite;
  readonly key: string;
  /** The number of counted requests of the key since the last call. */
  used(): Promise<number>;
}

/** Limits for the key, and none for callers without a key. */
export const limitsOfKey = (day?: { readonly user: number }): Settings => ({
  limits: { day: { ...day, address: null }, minute: { address: null, user: 30 } },
});

/** A site that is not built yet; removed after the test. */
export async function stageOf(generator: 'eleventy' | 'astro', published: Published): Promise<Stage> {
  const { service } = published;
  const site = await exampleSite(generator);
  onTestFinished(() => site.remove());
  const { key } = await service.createKey({ account: generator, name: 'build' });
  let before = 0;
  return {
    ...published,
    ...{ site, key },
    async used() {
      const { headers } = await fetch(`${service.url}${PREFIX}/me`, { headers: { 'X-Api-Key': key } });
      const used = Number(headers.get('X-Quota-Used'));
      const since = used - before - 1; // Without the request for /me itself.
      before = used;
      return since;
    },
  };
}
