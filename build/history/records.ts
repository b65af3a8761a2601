/** Parses the records of a snapshot from the text of its objects. */
import type { AuthorRecord, Dates, Detail, Summary, TermRecord } from '../../contract/api.ts';
import {
  absentOr,
  type Check,
  isNumber,
  isText,
  listOf,
  nullOr,
  parseJson,
  recordOf,
} from '../../contract/json.ts';

/** A summary, as a page has it. */
export type StoredSummary = Summary & Dates & { readonly former_slugs?: readonly string[] };

const isSummary = recordOf<StoredSummary>({
  slug: isText,
  title: isText,
  description: nullOr(isText),
  cover: nullOr(isText),
  tags: listOf(isText),
  category: nullOr(recordOf<NonNullable<Summary['category']>>({ name: isText, slug: isText })),
  author: nullOr(recordOf<NonNullable<Summary['author']>>({ name: isText, username: isText })),
  url: isText,
  published_at: isText,
  updated_at: nullOr(isText),
  former_slugs: absentOr(listOf(isText)),
});

const isDetail = recordOf<Detail>({
  slug: isText,
  title: isText,
  content: isText,
  tags: listOf(isText),
  seo: recordOf<Detail['seo']>({ meta_title: nullOr(isText), meta_description: nullOr(isText) }),
  published_at: isText,
});

const isTerm = recordOf<TermRecord>({ name: isText, slug: isText, posts_count: isNumber, url: isText });

const isAuthor = recordOf<AuthorRecord>({
  name: isText,
  username: isText,
  avatar: nullOr(isText),
  posts_count: isNumber,
});

/** A line of a `page`. @throws SyntaxError */
export function parseSummary(text: string): StoredSummary {
  return parseJson(text, isSummary, 'the summary of an article');
}

/** A line of an `authors`. @throws SyntaxError */
export function parseAuthor(text: string): AuthorRecord {
  return parseJson(text, isAuthor, 'the record of an author');
}

/** A `post`. @throws SyntaxError */
export function parseDetail(text: string): Detail {
  return dataOf(text, isDetail, 'an article');
}

/** `categories` or `tags`. @throws SyntaxError */
export function parseTerms(text: string): TermRecord[] {
  return dataOf(text, listOf(isTerm), 'a list of categories or tags');
}

/** The `data` of an answer. */
function dataOf<T>(text: string, isData: Check<T>, what: string): T {
  return parseJson(text, recordOf<{ data: T }>({ data: isData }), what).data;
}
