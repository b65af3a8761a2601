import {
  bodyFault,
  cutText,
  filterNameFault,
  lengthFault,
  pathNameFault,
  TEXT_LIMITS,
  type CutText,
} from '../../contract/text-limits.ts';
import type { ImportedAuthor, ImportedItem, ImportedPost, Loss, Term } from '../../import/imported-item.ts';
import { tidyLine } from '../../common/content/text.ts';

type ReportLoss = (what: string, detail: string) => void;

/**
 * Applies the limits on texts, the same for all formats. A post with a slug or body beyond the limits is skipped.
 * Anything else is a loss: titles and descriptions are cut; names, images and addresses are dropped. So are further authors.
 */
export async function* withinLimits(items: AsyncIterable<ImportedItem>): AsyncGenerator<ImportedItem> {
  for await (const item of items) yield* fittedItem(item);
}

/** An item, if it is kept, and what is lost from it. */
function* fittedItem(item: ImportedItem): Generator<ImportedItem> {
  const losses: Loss[] = [];
  const lossReporter =
    (source: string): ReportLoss =>
    (what, detail) =>
      void losses.push({ what, source, detail });
  if (item.kind === 'category' || item.kind === 'tag') {
    const term = fittedName(item.term, item.kind, lossReporter(shortened(item.term.slug)));
    if (term !== null) yield { kind: item.kind, term };
  } else if (item.kind === 'author') {
    const author = fittedAuthor(item.author, lossReporter(shortened(item.author.username)));
    if (author !== null) yield { kind: 'author', author };
  } else if (item.kind === 'post') {
    const { source } = item.post;
    const fault = postFault(item.post);
    if (fault === null) yield { kind: 'post', post: fitted(item.post, lossReporter(source)) };
    else yield { kind: 'skipped', skipped: { source, reason: fault }, kept: source };
  } else yield item;
  for (const loss of losses) yield { kind: 'loss', loss };
}

function postFault({ slug, body }: ImportedPost): string | null {
  const slugFault = pathNameFault(slug, TEXT_LIMITS.slug);
  if (slugFault !== null) return `its slug cannot be used: ${slugFault}`;
  const fault = bodyFault(body);
  return fault === null ? null : `its text is too long: ${fault}`;
}

function fitted(post: ImportedPost, lost: ReportLoss): ImportedPost {
  const cut = (text: string, kind: CutText, what: string): string => {
    const tidy = tidyLine(text);
    const fault = lengthFault(tidy, TEXT_LIMITS[kind]);
    if (fault !== null) lost(`the end of a ${what}`, fault);
    return cutText(tidy, kind);
  };
  const cutOrNull = (text: string | null, what: string) => text && (cut(text, 'description', what) || null);
  for (const name of post.coAuthors ?? []) lost('co-author', shortened(tidyLine(name)));
  return {
    ...post,
    title: cut(post.title, 'title', 'title'),
    description: cutOrNull(post.description, 'description'),
    cover: fittedAddress(post.cover, 'image', lost),
    metaTitle: cutOrNull(post.metaTitle, 'title for search engines'),
    metaDescription: cutOrNull(post.metaDescription, 'description for search engines'),
    category: post.category && fittedName(post.category, 'category', lost),
    tags: post.tags.map((tag) => fittedName(tag, 'tag', lost)).filter((tag) => tag !== null),
    author: post.author && fittedAuthor(post.author, lost),
    url: fittedAddress(post.url, 'address', lost),
  };
}

function fittedAddress(text: string | null, what: string, lost: ReportLoss): string | null {
  const fault = text === null ? null : filterNameFault(text, TEXT_LIMITS.address);
  if (fault !== null) lost(what, fault);
  return fault === null ? text : null;
}

function fittedName({ slug, name }: Term, what: string, lost: ReportLoss): Term | null {
  const tidy = { slug, name: tidyLine(name) };
  const fault = filterNameFault(slug) ?? filterNameFault(tidy.name);
  if (fault !== null) lost(what, `"${shortened(tidy.name)}": ${fault}`);
  return fault === null ? tidy : null;
}

function fittedAuthor({ username, name, avatar }: ImportedAuthor, lost: ReportLoss): ImportedAuthor | null {
  const tidy = tidyLine(name);
  const fault = pathNameFault(username, TEXT_LIMITS.name) ?? filterNameFault(tidy);
  if (fault !== null) lost('author', `"${shortened(tidy)}": ${fault}`);
  return fault === null
    ? { username, name: tidy, avatar: fittedAddress(avatar, "author's image", lost) }
    : null;
}

function shortened(name: string): string {
  return name.length <= 60 ? name : `${[...name.slice(0, 60)].slice(0, -1).join('')}…`;
}
