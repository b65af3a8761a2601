import { createHash, randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatKey, RANDOM_CHARACTERS } from '../../contract/api-key.ts';
import { SCOPES } from '../../contract/api.ts';
import type { Limits } from '../../contract/policy.ts';
import { createKey } from '../../data/accounts/keys.ts';
import { openForReading } from '../../data/database.ts';
import { type BlogFiles, buildBlog, editBlog, makeBlog } from '../offprint.ts';
import { prepareDatabase } from '../opponents/live/database.ts';
import { type Asker, type ClassId, type RequestClass, requestClasses } from './request-classes.ts';

/** The reader's account is an administrator's with no reachable limit. The other one has a low limit. */
export const LIMITS: Limits = { day: { address: 1e9, user: 3, admin: 1e9 }, minute: 1e9 };

/** The accounts that have a key, and their plans. */
export const ACCOUNTS = { reader: 'admin', exhausted: 'user' } as const;

/** One blog, ready to be served by every contestant. */
export interface Stage extends BlogFiles {
  readonly folder: string;
  /** The same blog for the live API. */
  readonly liveDatabase: string;
  readonly classes: readonly RequestClass[];
  /** The header for each asker. */
  readonly headers: Readonly<Record<Asker, Readonly<Record<string, string>>>>;
}

/** Makes a blog with keys in `folder` and publishes it, also in the database for alternatives. @param ids what is asked */
export async function makeStage(folder: string, posts: number, ids?: readonly ClassId[]): Promise<Stage> {
  const blog = makeBlog(folder, posts, LIMITS);
  const headers = {
    reader: {},
    exhausted: {},
    unknown: bearer(formatKey(Array.from({ length: RANDOM_CHARACTERS }, () => randomInt(62)))),
  };
  editBlog(blog, (db) => {
    for (const account of ['reader', 'exhausted'] as const) {
      const { key } = createKey(db, { account, name: 'bench', scopes: SCOPES, plan: ACCOUNTS[account] });
      headers[account] = bearer(key);
    }
  });
  await buildBlog(blog);
  const liveDatabase = join(folder, 'live.db');
  prepareDatabase(blog.db, liveDatabase);
  const read = openForReading(blog.db);
  const classes = requestClasses(read, ids);
  read.close();
  return { ...blog, folder, liveDatabase, classes, headers };
}

function bearer(key: string): Readonly<Record<string, string>> {
  return { Authorization: `Bearer ${key}` };
}

/** A file of `lines` in the stage's folder, named by its content. */
export function fileOf(stage: Stage, content: string): string {
  const name = createHash('sha256').update(content).digest('hex').slice(0, 16);
  const path = join(stage.folder, `${name}.txt`);
  writeFileSync(path, content);
  return path;
}
