import { createHash, randomInt } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { formatKey, keyPrefix, RANDOM_CHARACTERS } from '../../contract/api-key.ts';
import { type KeyRecord, keyPath } from '../../contract/key-record.ts';
import type { CountResult } from '../../gateway/central-quota-counter.ts';
import { inBucket } from '../publish/publishing.ts';
import type { Blog } from '../service/blogs.ts';
import { type Reply, send } from '../service/client.ts';
import type { Settings } from '../service/home.ts';
import { BUCKET, PREFIX as FOLDER, serveWorker, type WorkerService } from '../service/worker-home.ts';
import { type Command, type Counts, type Kept, WATCH_PATH } from './watching.ts';

const ENTRY = fileURLToPath(new URL('watched-entry.ts', import.meta.url));
const PREFIX = '/api/public/v1';

/** A Worker whose calls of the platform are counted, and can be made to fail. */
export interface WatchedWorker {
  readonly service: WorkerService;
  /** Returns the counts since the last call, and applies a command. */
  watch(command?: Command): Promise<Counts>;
  /** The counts so far, without resetting them. */
  seen(): Promise<Counts>;
  kept(principal: string, clear?: boolean): Promise<Kept>;
  /** Counts a request with this id, by a call of the principal's Durable Object. */
  count(principal: string, request: string): Promise<CountResult>;
  /** Ends the principal's Durable Object. */
  restart(principal: string): Promise<void>;
  get(path: string, who?: Who): Promise<Reply>;
  /** What one request calls on the platform, without a change of the isolate. */
  costOf(path: string, who?: Who): Promise<Counts>;
  /** Puts records of new keys of separate accounts into the bucket. */
  makeKeys(accounts: readonly string[]): Promise<string[]>;
}

export interface Who {
  readonly key?: string;
  readonly address?: string;
  readonly method?: string;
}

export async function serveWatched(blog: Blog, settings: Settings = {}): Promise<WatchedWorker> {
  const service = await serveWorker(blog, settings, ENTRY);
  const command = async (what: Command): Promise<unknown> =>
    (await send(service.url, { method: 'POST', path: WATCH_PATH, body: JSON.stringify(what) })).json;
  const watch = async (what: Command = {}) => (await command(what)) as Counts;
  const get = (path: string, { key, address = '192.0.2.1', method = 'GET' }: Who = {}) =>
    send(service.url, {
      method,
      path: PREFIX + path,
      headers: { ...service.from(address), ...(key === undefined ? {} : { 'x-api-key': key }) },
    });

  return {
    service,
    watch,
    seen: async () => (await command({ goOn: true })) as Counts,
    kept: async (principal, clear = false) => (await command({ principal, clear })) as Kept,
    count: async (principal, request) => (await command({ principal, request })) as CountResult,
    async restart(principal) {
      await command({ principal, restart: true });
    },
    get,
    async costOf(path, who) {
      await watch();
      const { status, text } = await get(path, who);
      if (status !== 200) throw new Error(`${path} gave ${status}: ${text}`);
      return watch();
    },
    async makeKeys(accounts) {
      const keys = accounts.map((account) => ({ account, key: formatKey(randomDigits()) }));
      await inBucket(service.endpoint, `s3://${BUCKET}/${FOLDER}`, (bucket) =>
        Promise.all(keys.map(({ account, key }) => bucket.put(...recordOf(account, key), 'no-cache'))),
      );
      return keys.map(({ key }) => key);
    },
  };
}

function recordOf(account: string, key: string): [path: string, bytes: Buffer] {
  const record: KeyRecord = {
    account,
    plan: 'user',
    name: account,
    prefix: keyPrefix(key),
    revoked: false,
    scopes: ['blog:read', 'taxonomy:read', 'authors:read'],
  };
  return [keyPath(createHash('sha256').update(key).digest('hex')), Buffer.from(JSON.stringify(record))];
}

function randomDigits(): number[] {
  return Array.from({ length: RANDOM_CHARACTERS }, () => randomInt(62));
}
