import { text } from 'node:stream/consumers';
import * as v from 'valibot';
import { sendRequest } from '../sources/http.ts';
import { parseUntrusted } from '../sources/json.ts';
import { BlogAnswerInvalid, ImportError } from '../errors.ts';

/** An answer of a blog's API. */
export interface ApiAnswer {
  /** The final address, after redirects. */
  readonly url: URL;
  readonly status: number;
  readonly header: (name: string) => string | null;
  /** @throws BlogAnswerInvalid */
  readonly json: () => unknown;
}

interface ApiOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Waits a number of milliseconds; tests do not wait. */
  readonly wait: ((milliseconds: number) => Promise<unknown>) | undefined;
}

/** For an answer: 25 posts of 2 MB, the limit for a post. */
const MAX_BYTES = 64_000_000;

/** The address of a running blog, with a trailing slash. @throws ImportError for any other */
export function blogAddress(written: string): URL {
  const url = URL.parse(written);
  const isPlain = url !== null && url.username === '' && url.password === '' && url.search === '';
  if (url === null || !isPlain || url.hash !== '' || !/^https?:$/.test(url.protocol))
    throw new ImportError(
      'This is not the URL of a blog. Give one such as https://blog.example, without a user name, query or fragment.',
    );
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/`;
  return url;
}

/** @throws AddressRefused, BlogAnswerInvalid */
export async function requestApi(address: URL, options: ApiOptions): Promise<ApiAnswer> {
  const { url, status, header, body } = await sendRequest(address.href, {
    accept: 'application/json',
    maxBytes: MAX_BYTES,
    staysOnHost: true,
    ...options,
  });
  const final = new URL(url);
  const json = await text(body);
  return {
    url: final,
    status,
    header,
    json: () => parseUntrusted(json, () => new BlogAnswerInvalid(final, `it is not JSON (status ${status})`)),
  };
}

/** A page of a list. */
export interface ListPage {
  readonly rows: readonly unknown[];
  /** The number of rows on all pages that were asked for. */
  readonly total: number;
  readonly isLast: boolean;
  readonly url: URL;
}

/** More rows than any blog has: stops a server that never ends its list. */
const MAX_ROWS = 500_000;

/**
 * All rows of a list, each once.
 *
 * @param ask a page by its number, from 1, and the id of the last row before it; null: the list is closed to this caller
 * @throws BlogAnswerInvalid, and the errors of `ask`
 */
export async function allRows<Row extends { readonly id: string | number }>(
  name: string,
  row: v.GenericSchema<unknown, Row>,
  ask: (page: number, last: string) => Promise<ListPage | null>,
): Promise<{ readonly rows: readonly Row[]; readonly total: number; readonly url: URL } | null> {
  const found = new Map<string, Row>();
  let last = '';
  for (let number = 1; ; number++) {
    const page = await ask(number, last);
    if (page === null) return null;
    const { rows, total, isLast, url } = page;
    const before = found.size;
    for (const raw of rows) {
      const parsed = v.safeParse(row, raw);
      if (!parsed.success) throw new BlogAnswerInvalid(url, `a row in its list of ${name} has no id`);
      last = String(parsed.output.id);
      found.set(last, parsed.output);
    }
    if (isLast || rows.length === 0) return { rows: [...found.values()], total, url };
    if (found.size === before) throw new BlogAnswerInvalid(url, `its list of ${name} repeats itself`);
    if (found.size > MAX_ROWS) throw new BlogAnswerInvalid(url, `its list of ${name} does not end`);
  }
}

/** How many posts are fetched in one request. */
const BATCH = 25;

/** Posts by id, in the order of the ids. @param fetch those of one batch */
export async function* fetchInBatches<Post>(
  ids: readonly string[],
  fetch: (ids: readonly string[]) => Promise<ReadonlyMap<string, Post>>,
): AsyncGenerator<readonly [id: string, post: Post]> {
  for (let at = 0; at < ids.length; at += BATCH) {
    const batch = ids.slice(at, at + BATCH);
    const posts = await fetch(batch);
    for (const id of batch) {
      const post = posts.get(id);
      if (post !== undefined) yield [id, post];
    }
  }
}
