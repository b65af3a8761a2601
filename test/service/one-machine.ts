import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SqliteQuotaCounter } from '../../gateway/node/sqlite-quota-counter.ts';
import type { Blog } from './blogs.ts';
import type { Service, Settings } from './home.ts';
import { answerOf } from './in-process.ts';
import { keyCommands } from './key-commands.ts';

/** A built blog in a folder, ready to be served on one machine. */
export interface BuiltBlog {
  readonly out: string;
  /** The path of its configuration. */
  readonly config: string;
  readonly trustedProxies: number;
  /** The parts of its service that do not depend on how it is served. */
  readonly service: Pick<
    Service,
    'folder' | 'receivesRawRequests' | 'from' | 'createKey' | 'setPlan' | 'revokeKey' | 'rotateKey'
  >;
  remove(): void;
}

export async function buildOnOneMachine(blog: Blog, settings: Settings): Promise<BuiltBlog> {
  const folder = mkdtempSync(join(tmpdir(), 'offprint-service-'));
  const [db, out, config] = [join(folder, 'blog.db'), join(folder, 'out'), join(folder, 'offprint.json')];
  // Addresses come in `X-Forwarded-For`, as behind a proxy, so that one machine can be many callers.
  const { trusted_proxies: trustedProxies = 1 } = settings;
  copyFileSync(blog.db, db);
  writeFileSync(config, JSON.stringify({ ...settings, trusted_proxies: trustedProxies }));
  const files = ['--db', db, '--out', out, '--config', config];
  await answerOf(['build', ...files]);
  return {
    out,
    config,
    trustedProxies,
    service: {
      folder,
      receivesRawRequests: true,
      from: (address) => ({ 'x-forwarded-for': address }),
      ...keyCommands(files),
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** Resolves when all counts are stored; rejects if that failed. */
export const saved = (counter: SqliteQuotaCounter) =>
  new Promise<void>((resolve, reject) => {
    counter.whenSaved((error) =>
      error === undefined ? resolve() : reject(new Error('It could not be stored.', { cause: error })),
    );
  });
