import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { PREFIX } from '../../../contract/api.ts';
import { openForWriting } from '../../../data/database.ts';
import type { FormatName } from '../../../import/format-names.ts';
import { readBlog } from '../../../import/formats.ts';
import type { ReadOptions } from '../../../import/read-options.ts';
import { importBlog } from '../../../data/imported/import.ts';
import { serve } from '../../../cli/serving.ts';
import { objectsIn } from '../../build/output.ts';
import { publish } from '../../build/publishing.ts';
import { temporaryFolder } from '../../build/temporary-folder.ts';
import { send } from '../../service/client.ts';
import { textCases } from '../../text-cases.ts';
import { endOf, type Words, wordsOf } from './words.ts';

/** States that an engine does not publish, by reason. `part` is a part of a public post. */
export const STATES = [
  'draft',
  'scheduled',
  'expired',
  'password',
  'members',
  'part',
  'no post',
  'trash',
] as const;
export type State = (typeof STATES)[number];

/** When scheduled posts become public. Tests read blogs before and after. */
export const DUE = '2090-07-01T10:00:00Z';
export const BEFORE = new Date('2090-06-01T12:00:00Z');
export const AFTER = new Date('2090-07-02T12:00:00Z');

/** A post with these words. */
export type Make<Piece> = (words: Words) => Piece;

const CASES = textCases(new URL('./states.txt', import.meta.url));

/** The states of a format in states.txt, by what makes a post of the fields of a line. */
export function statesOf<Piece>(
  format: FormatName,
  make: (first: string, ...more: readonly string[]) => Make<Piece>,
): Row<Piece>['states'] {
  const ways = (state: State) => (CASES.get(format) ?? []).filter(([first]) => first === state);
  return Object.fromEntries(
    STATES.map((state) => [state, ways(state).map(([, first = '', ...more]) => make(first, ...more))]),
  );
}

/** One engine, and its posts in each state. */
export interface Row<Piece> {
  readonly name: string;
  readonly open: Make<Piece>;
  /** Each way to express a state in this engine. */
  readonly states: Readonly<Partial<Record<State, readonly Make<Piece>[]>>>;
  /** This reader does not see scheduled posts, so they do not appear by themselves. */
  readonly isBlindToScheduled?: boolean;
  /** The engine renders by this machine's clock, at which nothing is due. */
  readonly hasOwnClock?: boolean;
  /** Writes a blog with only `pieces`, for the duration of the test. */
  readonly write: (pieces: readonly Piece[]) => Published<Piece> | Promise<Published<Piece>>;
}

/** A blog that can be published. */
interface Published<Piece> {
  /** Imports it as of `now`. */
  readonly read: (now: Date) => Promise<unknown>;
  /** Builds the imported blog as of `now`. */
  readonly build: (now: Date) => Promise<unknown>;
  readonly out: string;
  /** The database that it is imported into. */
  readonly db: string;
  /** Replaces its posts, in the same order. */
  readonly rewrite: (pieces: readonly Piece[]) => void;
}

/** A row with any pieces. */
export interface Case {
  readonly name: string;
  /** Content that must be neither public nor stored, and missing content, before and after posts are due. */
  readonly faults: () => Promise<readonly string[]>;
  /** Content that stays public although it was hidden later. */
  readonly hiddenLater: () => Promise<readonly string[]>;
}

/** States that a public post may get later. A post that is gone is another matter: test/import/system/departures.test.ts. */
const LATER: readonly string[] = ['open', 'draft', 'expired', 'password', 'members', 'trash'];

/** A blog that is imported from `path`. */
export function imported<Piece>(
  format: FormatName,
  path: string,
  options: Omit<Partial<ReadOptions>, 'now'>,
  rewrite: (pieces: readonly Piece[]) => void,
): Published<Piece> {
  const folder = temporaryFolder();
  const [file, out] = [join(folder, 'blog.db'), join(folder, 'out')];
  return {
    out,
    db: file,
    rewrite,
    async read(now) {
      const db = openForWriting(file);
      try {
        const items = readBlog(format, [path], { wait: () => Promise.resolve(), ...options, now });
        await importBlog({ db, items });
      } finally {
        db.close();
      }
    },
    build: (now) => publish(file, out, { now }),
  };
}

interface Post {
  readonly label: string;
  readonly state: State | 'open';
  readonly words: Words;
}

/** Words of posts that were never public, in the database. */
function storedOf(db: string, posts: readonly Post[]): string[] {
  const stored = ['', '-wal'].map((end) => db + end).filter((path) => existsSync(path));
  const bytes = stored.map((path) => readFileSync(path, 'latin1')).join('\n');
  return posts.flatMap(({ state, label, words }) => {
    if (state === 'open' || state === 'scheduled') return [];
    const secrets = state === 'part' ? [words.text] : Object.values(words);
    return secrets.some((word) => bytes.includes(endOf(word))) ? [`stored: ${label}`] : [];
  });
}

export function caseOf<Piece>({ name, open, states, write, ...row }: Row<Piece>): Case {
  const { isBlindToScheduled = false, hasOwnClock = false } = row;
  const posts: (Post & { readonly piece: Piece })[] = [];
  const add = (state: Post['state'], label: string, make: Make<Piece>): void => {
    const words = wordsOf(`${name} ${label}`);
    posts.push({ label, state, words, piece: make(words) });
  };
  for (const state of STATES) states[state]?.forEach((make, i) => add(state, `${state} ${i + 1}`, make));
  for (let i = 0; i < 3; i++) add('open', `open ${i + 1}`, open);
  return {
    name,
    async faults() {
      const blog = await write(posts.map(({ piece }) => piece));
      await blog.read(BEFORE);
      await blog.build(BEFORE);
      const early = [...(await faultsIn(blog.out, posts, false)), ...storedOf(blog.db, posts)];
      await blog.build(AFTER);
      const due = await faultsIn(blog.out, posts, !isBlindToScheduled);
      if (!hasOwnClock) await blog.read(AFTER);
      await blog.build(AFTER);
      const again = await faultsIn(blog.out, posts, !isBlindToScheduled);
      return Object.entries({ early, due, again }).flatMap(([when, found]) =>
        found.map((fault) => `${when}: ${fault}`),
      );
    },
    async hiddenLater() {
      const later = posts.filter(({ state }) => LATER.includes(state));
      // Some engines tell nobody of such posts: they are only missing, which must be less than half of them.
      const others = later.map(({ label }) => wordsOf(`${name} other than ${label}`)).map(open);
      const blog = await write([...later.map(({ words }) => open(words)), ...others]);
      await blog.read(BEFORE);
      await blog.build(BEFORE);
      const shown = later.map((post): Post => ({ ...post, state: 'open' }));
      const before = await faultsIn(blog.out, shown, false);
      blog.rewrite([...later.map(({ piece }) => piece), ...others]);
      await blog.read(BEFORE);
      await blog.build(BEFORE);
      // Their objects stay in the snapshot before.
      return [...before, ...(await faultsIn(blog.out, later, false, ''))];
    },
  };
}

/** The objects of all snapshots that are kept. */
function objectsOf(out: string): string {
  return objectsIn(out)
    .map((path) => join(out, path))
    .filter((path) => statSync(path).size < 1_000_000) // Without the API reference's script, which is the same for each blog.
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
}

/** @param stored must not contain posts that are not public */
async function faultsIn(
  out: string,
  posts: readonly Post[],
  isDue: boolean,
  stored = objectsOf(out),
): Promise<string[]> {
  const faults: string[] = [];
  const gateway = await serve({
    out,
    host: '127.0.0.1',
    port: 0,
    trustedProxies: 0,
    emit: (event) => {
      if ('error' in event) faults.push(`the service says: ${String(event.error)}`);
    },
  });
  try {
    for (const post of posts) {
      const isPublic = post.state === 'open' || (post.state === 'scheduled' && isDue);
      const found = isPublic ? await missingOf(post, gateway.url) : await tracesOf(post, gateway.url, stored);
      if (found.length > 0) faults.push(`${post.label}: ${found.join(', ')}`);
    }
    return faults;
  } finally {
    await gateway.close();
  }
}

/** Published traces of a post that is not public. */
async function tracesOf({ state, words }: Post, url: string, stored: string): Promise<string[]> {
  // In a post with a restricted part, the rest is public.
  if (state === 'part') return stored.includes(endOf(words.text)) ? ['its part is stored'] : [];
  const stand = (['slug', 'title', 'text', 'description', 'tag', 'author'] as const).filter((field) =>
    stored.includes(endOf(words[field])),
  );
  const { title, description, tag, author } = words;
  const queries = [{ q: title }, { q: description }, { tag }, { author }];
  const lists = await Promise.all(queries.map((query) => totalOf(url, query)));
  const { status } = await send(url, { path: `${PREFIX}/posts/${words.slug}` });
  return [
    ...(stand.length > 0 ? [`stored are its ${stand.join(', ')}`] : []),
    ...(lists.some((total) => total > 0) ? ['it is listed'] : []),
    ...(status === 404 ? [] : [`its article answers ${status}`]),
  ];
}

/** Missing content of a public post. */
async function missingOf({ words }: Post, url: string): Promise<string[]> {
  const { status, text } = await send(url, { path: `${PREFIX}/posts/${words.slug}` });
  if (status !== 200) return [`its article answers ${status}`];
  return [
    ...(text.includes(words.text) ? [] : ['its text is missing']),
    ...((await totalOf(url, { q: words.title })) > 0 ? [] : ['it is not found by its title']),
  ];
}

const list = v.object({ data: v.object({ meta: v.object({ total: v.number() }) }) });

async function totalOf(url: string, query: Record<string, string>): Promise<number> {
  const { json } = await send(url, { path: `${PREFIX}/posts?${new URLSearchParams(query).toString()}` });
  return v.parse(list, json).data.meta.total;
}
