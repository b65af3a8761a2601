import { execFileSync } from 'node:child_process';
import { createHash, randomInt } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatKey, RANDOM_CHARACTERS } from '../../contract/api-key.ts';
import { SCOPES } from '../../contract/api.ts';
import type { Limits } from '../../contract/policy.ts';
import { createKey } from '../../data/accounts/keys.ts';
import { openForReading, openForWriting } from '../../data/database.ts';
import { generateBlog } from '../generate/blog.ts';
import { prepareDatabase } from '../opponents/live/database.ts';
import { type Asker, type RequestClass, requestClasses } from './request-classes.ts';

export const OFFPRINT = fileURLToPath(new URL('../../cli/offprint.mjs', import.meta.url));

/** The reader's account is an administrator's with no reachable limit. The other one has a low limit. */
export const LIMITS: Limits = { day: { address: 1e9, user: 3, admin: 1e9 }, minute: 1e9 };

/** One blog, ready to be served by every contestant. */
export interface Stage {
  readonly posts: number;
  readonly folder: string;
  readonly database: string;
  /** The published output, for `serve --out`. */
  readonly out: string;
  readonly config: string;
  /** The same blog for the live API. */
  readonly liveDatabase: string;
  readonly classes: readonly RequestClass[];
  /** The header for each asker. */
  readonly headers: Readonly<Record<Asker, Readonly<Record<string, string>>>>;
}

/** Makes a blog with keys in `folder` and publishes it. `live`: also the database for alternatives. */
export function makeStage(folder: string, posts: number, { live = true } = {}): Stage {
  mkdirSync(folder, { recursive: true });
  const [database, out, config] = ['blog.db', 'out', 'offprint.json'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const liveDatabase = join(folder, 'live.db');
  generateBlog(database, { posts });
  const db = openForWriting(database);
  const keyOf = (account: string, admin: boolean) =>
    createKey(db, { account, name: 'bench', scopes: SCOPES, admin }).key;
  const keys: Record<Asker, string> = {
    reader: keyOf('reader', true),
    exhausted: keyOf('exhausted', false),
    unknown: formatKey(Array.from({ length: RANDOM_CHARACTERS }, () => randomInt(62))),
  };
  db.close();

  writeFileSync(config, JSON.stringify({ limits: LIMITS }));
  execFileSync(process.execPath, [OFFPRINT, 'build', '--db', database, '--out', out, '--config', config], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (live) prepareDatabase(database, liveDatabase);
  const read = openForReading(database);
  const classes = live ? requestClasses(read) : [];
  read.close();
  const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });
  return {
    ...{ posts, folder, database, out, config, liveDatabase, classes },
    headers: {
      reader: bearer(keys.reader),
      exhausted: bearer(keys.exhausted),
      unknown: bearer(keys.unknown),
    },
  };
}

/** A file of `lines` in the stage's folder, named by its content. */
export function fileOf(stage: Stage, content: string): string {
  const name = createHash('sha256').update(content).digest('hex').slice(0, 16);
  const path = join(stage.folder, `${name}.txt`);
  writeFileSync(path, content);
  return path;
}
