import * as v from 'valibot';
import { isRecord } from '../../contract/json.ts';
import { parseDate } from '../../common/content/date.ts';
import { PostUnreadable } from '../../common/content/errors.ts';
import { termSlug } from '../../common/content/term-slug.ts';
import { slugTitle, textTitle } from '../article/fields.ts';
import { hiddenByStatus, type ReportLoss } from '../article/outcome.ts';
import { eachOnce } from '../article/taxonomy.ts';
import type { ReadItem, ReadPost } from '../imported-item.ts';

/** What one line says. */
export type LineItem =
  | Extract<ReadItem, { readonly kind: 'category' | 'tag' | 'author' | 'post' | 'hidden' }>
  | { readonly kind: 'blog'; readonly name: string; readonly url: string | null }
  | { readonly kind: 'end'; readonly posts: number };

const TEXT = 'must be a string that is not empty';
const text = v.pipe(v.string(TEXT), v.trim(), v.nonEmpty(TEXT));
const textOrNull = v.nullish(v.string('must be a string or null'), null);
const TITLE = 'must be a string, or null for a post without one';
const COUNT = 'must be a whole number, at least 0';
const count = v.pipe(v.number(COUNT), v.safeInteger(COUNT), v.minValue(0, COUNT));

// A time without an offset is another moment on each machine.
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;
const DATE = 'must be a valid date with time and UTC offset, such as 2026-05-01T09:30:00+02:00';
const moment = v.pipe(v.string(DATE), v.regex(MOMENT, DATE), v.transform(parseDate), v.string(DATE));

const ID = 'must be a whole number, or a string in one line of at most 1000 characters';
const id = v.pipe(
  v.union([v.pipe(v.number(), v.safeInteger()), v.string()], ID),
  v.transform(String),
  v.regex(/^[^\p{Cc}]{1,1000}$/u, ID),
);

const term = v.object({ name: text, slug: text }, 'must be an object with a name and a slug');
const tag = v.union(
  [
    v.pipe(
      text,
      v.transform((name) => ({ name, slug: termSlug(name) })),
      v.check(({ slug }) => slug !== ''),
    ),
    term,
  ],
  'must be a name, or an object with a name and a slug',
);
const author = v.object(
  { name: text, username: text, avatar: textOrNull },
  'must be an object with a name and a username',
);

const post = v.object({
  id,
  slug: text,
  /** Empty or null: the post has none. */
  title: v.nullable(v.pipe(v.string(TITLE), v.trim()), ''),
  content: v.string('must be a string'),
  published_at: moment,
  status: v.optional(v.picklist(['published', 'scheduled'])),
  description: textOrNull,
  cover: textOrNull,
  category: v.nullish(term, null),
  tags: v.nullish(v.array(tag, 'must be a list'), []),
  author: v.nullish(author, null),
  meta_title: textOrNull,
  meta_description: textOrNull,
  url: textOrNull,
  views: v.nullish(count, null),
  updated_at: v.nullish(moment, null),
  expires_at: v.nullish(moment, null),
  language: v.nullish(v.pipe(text, v.toLowerCase()), null),
});

const KINDS = {
  blog: v.object({ name: text, url: textOrNull }),
  category: term,
  tag: term,
  author,
  post,
  end: v.object({ posts: count }),
};
const kind = v.picklist(
  ['blog', 'category', 'tag', 'author', 'post', 'end'],
  'must be blog, category, tag, author, post or end',
);

const hidden = v.object({ id, status: v.string('must be a string') });

/** Why a line cannot be read, and which post it was: that post is kept as it was imported. */
export class BadLine extends PostUnreadable {
  readonly isPost: boolean;
  /** Null: it is not known. */
  readonly id: string | null;
  /** As in ImportedItem: any post, if it is not known which. */
  readonly kept: string | undefined;
  constructor(reason: string, line: Readonly<Record<string, unknown>> = {}) {
    super(reason);
    this.isPost = line['kind'] === 'post';
    const read = v.safeParse(id, line['id']);
    this.id = this.isPost && read.success ? read.output : null;
    const isOther = !this.isPost && v.is(kind, line['kind']);
    this.kept = isOther ? undefined : this.id === null ? '' : `items:${this.id}`;
  }
}

/**
 * Reads one line.
 *
 * @param lose receives each field that no item of this kind has, and an unknown status
 * @throws BadLine
 */
export function readLine(bytes: Uint8Array, lose: ReportLoss): LineItem {
  const line = parsed(bytes);
  const named = v.safeParse(kind, line['kind']);
  if (!named.success) throw new BadLine(`kind: ${describeIssue(named.issues[0])}`, line);
  const known = KINDS[named.output].entries;
  for (const field of Object.keys(line))
    if (field !== 'kind' && !Object.hasOwn(known, field)) lose(`field "${field}"`);
  const fields = <Schema extends v.GenericSchema>(schema: Schema): v.InferOutput<Schema> => {
    const result = v.safeParse(schema, line);
    if (result.success) return result.output;
    throw new BadLine(describeIssue(result.issues[0]), line);
  };
  switch (named.output) {
    case 'blog':
      return { kind: 'blog', ...fields(KINDS.blog) };
    case 'category':
    case 'tag':
      return { kind: named.output, term: fields(term) };
    case 'author':
      return { kind: 'author', author: fields(author) };
    case 'end':
      return { kind: 'end', ...fields(KINDS.end) };
    case 'post': {
      const { status = 'published' } = line;
      if (status === 'published' || status === 'scheduled')
        return { kind: 'post', post: toPost(fields(post)) };
      const { id: source, status: given } = fields(hidden);
      const reason = hiddenByStatus(given, lose) ?? 'draft';
      return { kind: 'hidden', hidden: { source: `items:${source}`, reason } };
    }
  }
}

/** `author.username: is missing` */
function describeIssue(issue: v.BaseIssue<unknown>): string {
  const field = v.getDotPath(issue);
  return `${field === null ? '' : `${field}: `}${issue.input === undefined ? 'is missing' : issue.message}`;
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

function parsed(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  let written: string;
  try {
    written = UTF_8.decode(bytes); // Without a byte order mark.
  } catch {
    throw new BadLine('is not valid UTF-8');
  }
  try {
    const value: unknown = JSON.parse(written);
    if (isRecord(value)) return value;
  } catch {
    throw new BadLine('is not valid JSON');
  }
  throw new BadLine('is not a JSON object');
}

function toPost(fields: v.InferOutput<typeof post>): ReadPost {
  const {
    id: source,
    title,
    content,
    published_at: publishedAt,
    meta_title,
    meta_description,
    ...same
  } = fields;
  const { updated_at, expires_at, status: _, ...rest } = same;
  return {
    ...rest,
    title: title || textTitle(content) || slugTitle(rest.slug),
    tags: eachOnce(rest.tags),
    source: `items:${source}`,
    body: content,
    publishedAt,
    metaTitle: meta_title,
    metaDescription: meta_description,
    updatedAt: updated_at,
    expiresAt: expires_at,
  };
}
