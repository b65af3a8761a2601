/** Parses the records of a snapshot from the text of its objects. */
import type { Dates, Summary, TermRecord } from '../../contract/api.ts';
import { absentOr, isNumber, isText, listOf, nullOr, parseJson, recordOf } from '../../contract/json.ts';

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

const isTerm = recordOf<TermRecord>({ name: isText, slug: isText, posts_count: isNumber, url: isText });

/** A line of a `page`. @throws SyntaxError */
export function parseSummary(text: string): StoredSummary {
  return parseJson(text, isSummary, 'the summary of an article');
}

/** `categories` or `tags`. @throws SyntaxError */
export function parseTerms(text: string): TermRecord[] {
  const isAnswer = recordOf<{ data: TermRecord[] }>({ data: listOf(isTerm) });
  return parseJson(text, isAnswer, 'a list of categories or tags').data;
}
