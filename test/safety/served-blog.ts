import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateBlog } from '../../bench/generate/blog.ts';
import { copyFolder } from '../build/copied-folder.ts';
import { answerOf } from '../service/in-process.ts';
import type { CreatedKey, KeyWish, Settings } from '../service/home.ts';
import { keyCommands } from '../service/key-commands.ts';
import { type Server, startServer } from '../service/server-process.ts';

/** A generated blog with its output, in a separate folder, ready to be served. The folder ends with the test run (test/temporary-files.ts). */
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

/** Limits that tests do not reach by accident. */
export const WIDE: Settings['limits'] = {
  day: { address: 10_000_000, user: 10_000_000, admin: 10_000_000 },
  minute: 10_000_000,
};

/** Folders with a built blog, by number of posts and limits. Tests copy them. */
const templates = new Map<string, Promise<string>>();

const filesIn = (folder: string) => ({
  db: join(folder, 'blog.db'),
  out: join(folder, 'out'),
  config: join(folder, 'offprint.json'),
});

async function buildTemplate(posts: number, limits: Settings['limits']): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'offprint-built-'));
  const { db, out, config } = filesIn(folder);
  generateBlog(db, { posts, seed: 7 });
  writeFileSync(config, JSON.stringify({ trusted_proxies: 1, limits }));
  await answerOf(['build', '--db', db, '--out', out, '--config', config]);
  return folder;
}

/** Makes a built blog. Addresses come in `X-Forwarded-For`, as from one proxy. */
export async function makeServedBlog(posts: number, limits: Settings['limits'] = WIDE): Promise<ServedBlog> {
  const name = JSON.stringify([posts, limits]);
  const template = templates.get(name) ?? buildTemplate(posts, limits);
  templates.set(name, template);
  const folder = mkdtempSync(join(tmpdir(), 'offprint-safety-'));
  copyFolder(await template, folder);
  const { db, out, config } = filesIn(folder);
  const files = ['--db', db, '--out', out, '--config', config];
  const build = (...flags: readonly string[]) => answerOf(['build', ...files, ...flags]);
  return {
    folder,
    db,
    out,
    build,
    serve: (...flags) => startServer(['serve', '--out', out, '--config', config, '--port', '0', ...flags]),
    ...keyCommands(files),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
