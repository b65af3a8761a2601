import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { openOracle, type Oracle } from '../oracle/oracle.ts';
import type { Blog } from '../service/blogs.ts';
import type { CreatedKey, Home, Service, Settings } from '../service/home.ts';
import { callerOf, type Caller } from './caller.ts';

/** A served blog, with its expected answers. */
export interface Stage {
  readonly service: Service;
  readonly caller: Caller;
  readonly oracle: Oracle;
}

/** High enough that no test reaches it. */
export const FREE: Settings = {
  limits: { day: { address: 1_000_000, user: 1_000_001, admin: 1_000_002 }, minute: 1_000_003 },
};

/**
 * Opens a stage before the tests of the surrounding `describe`, and closes it after them. Returns a function,
 * because the stage exists only while the tests run.
 */
export function useStage(home: Home, makeBlog: () => Promise<Blog>, settings: Settings = FREE): () => Stage {
  let stage: Stage | undefined;
  let remove = async () => {};

  beforeAll(async () => {
    const blog = await makeBlog();
    const service = await home.serve(blog, settings);
    const oracle = openOracle(blog.db);
    stage = { service, oracle, caller: callerOf(service) };
    remove = async () => {
      oracle.close();
      await service.close();
      rmSync(dirname(blog.db), { recursive: true });
    };
  });
  afterAll(() => remove());

  return () => {
    if (stage === undefined) throw new Error('The stage opens when the tests begin.');
    return stage;
  };
}

/** Keys of every kind, each of a separate account unless noted. */
export interface Keys {
  readonly full: CreatedKey;
  /** Another key of the same account as `full`. */
  readonly second: CreatedKey;
  readonly blog: CreatedKey;
  readonly taxonomy: CreatedKey;
  readonly authors: CreatedKey;
  readonly admin: CreatedKey;
}

/** Creates the keys on a stage before the tests. */
export function useKeys(stage: () => Stage): () => Keys {
  let keys: Keys | undefined;
  beforeAll(async () => {
    const { service } = stage();
    const create = (account: string, scope?: string) =>
      service.createKey({
        account,
        name: `${account}'s key`,
        ...(scope === undefined ? {} : { scopes: [scope] }),
      });
    keys = {
      full: await create('full'),
      second: await service.createKey({ account: 'full', name: 'another "key" of \u0130smet \ud83e\udd80' }),
      blog: await create('blog', 'blog:read'),
      taxonomy: await create('taxonomy', 'taxonomy:read'),
      authors: await create('authors', 'authors:read'),
      admin: await service.createKey({ account: 'admin', name: 'admin', plan: 'admin' }),
    };
  });
  return () => {
    if (keys === undefined) throw new Error('The keys are made when the tests begin.');
    return keys;
  };
}
