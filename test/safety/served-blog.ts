import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateBlog } from '../../bench/generate/blog.ts';
import { answerOf } from '../service/in-process.ts';
import type { CreatedKey, KeyWish, Settings } from '../service/home.ts';
import { createKey, revokeKey } from '../service/key-commands.ts';
import { type Server, startServer } from '../service/server-process.ts';

/** A made-up blog with its output, in a folder of its own, ready to be served. */
export interface ServedBlog {
  readonly folder: string;
  readonly db: string;
  readonly out: string;
  build(...flags: readonly string[]): Promise<unknown>;
  serve(...flags: readonly string[]): Promise<Server>;
  createKey(wish: KeyWish): Promise<CreatedKey>;
  revokeKey(prefix: string): Promise<void>;
  remove(): void;
}

/** Limits that no test reaches by accident. */
export const WIDE: Settings['limits'] = {
  day: { address: 10_000_000, user: 10_000_000, admin: 10_000_000 },
  minute: 10_000_000,
};

/** Makes a blog and builds it. Addresses come in `X-Forwarded-For`, as from one proxy. */
export async function makeServedBlog(posts: number, limits: Settings['limits'] = WIDE): Promise<ServedBlog> {
  const folder = mkdtempSync(join(tmpdir(), 'offprint-safety-'));
  const [db, out, config] = ['blog.db', 'out', 'offprint.json'].map((name) => join(folder, name));
  if (db === undefined || out === undefined || config === undefined) throw new Error('unreachable');
  generateBlog(db, { posts, seed: 7 });
  writeFileSync(config, JSON.stringify({ trusted_proxies: 1, limits }));
  const files = ['--db', db, '--out', out, '--config', config];
  const build = (...flags: readonly string[]) => answerOf(['build', ...files, ...flags]);
  await build();
  return {
    ...{ folder, db, out, build },
    serve: (...flags) => startServer(['serve', '--out', out, '--config', config, '--port', '0', ...flags]),
    createKey: (wish) => createKey(files, wish),
    revokeKey: (prefix) => revokeKey(files, prefix),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
