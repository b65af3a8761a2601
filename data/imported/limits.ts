import {
  bodyFault,
  cutText,
  filterNameFault,
  lengthFault,
  pathNameFault,
  TEXT_LIMITS,
  type CutText,
} from '../../contract/text-limits.ts';
import type {
  ImportedAuthor,
  ImportedItem,
  ImportedPost,
  Loss,
  Skipped,
  Term,
} from '../../import/imported-item.ts';
import { tidyLine } from '../../common/content/text.ts';

/**
 * Applies the limits on texts, the same for all formats. A post with a slug or body beyond the limits is skipped.
 * Anything else is a loss: titles and descriptions are cut; names, images and addresses are dropped. So are further authors.
 */
export async function* withinLimits(items: AsyncIterable<ImportedItem>): AsyncGenerator<ImportedItem> {
  for await (const item of items) {
    if (item.kind !== 'post') {
      yield item;
      continue;
    }
    const fault = postFault(item.post);
    if (fault !== null) {
      const { source, status } = item.post;
      const left: Skipped = { source, reason: fault };
      // A published post stays as last imported; one that its author has unpublished goes.
      const isShown = status === 'published' || status === 'scheduled';
      yield { kind: 'skipped', skipped: left, ...(isShown ? { stays: source } : { ended: source }) };
      continue;
    }
    const { source } = item.post;
    const losses: Loss[] = [];
    const lost = (what: string, detail: string) => void losses.push({ what, source, detail });
    yield { kind: 'post', post: fitted(item.post, lost) };
    for (const loss of losses) yield { kind: 'loss', loss };
  }
}

function postFault({ slug, body }: ImportedPost): string | null {
  const slugFault = pathNameFault(slug, TEXT_LIMITS.slug);
  if (slugFault !== null) return `its slug cannot be used: ${slugFault}`;
  const fault = bodyFault(body);
  return fault === null ? null : `its text is too long: ${fault}`;
}

function fitted(post: ImportedPost, lost: (what: string, detail: string) => void): ImportedPost {
  const cut = (text: string, kind: CutText, what: string): string => {
    const tidy = tidyLine(text);
    const fault = lengthFault(tidy, TEXT_LIMITS[kind]);
    if (fault !== null) lost(`the end of a ${what}`, fault);
    return cutText(tidy, kind);
  };
  const cutOrNull = (text: string | null, what: string) => text && (cut(text, 'description', what) || null);
  const address = (text: string | null, what: string): string | null => {
    const fault = text === null ? null : filterNameFault(text, TEXT_LIMITS.address);
    if (fault !== null) lost(what, fault);
    return fault === null ? text : null;
  };
  const term = ({ slug, name }: Term, what: string): Term | null => {
    const tidy = { slug, name: tidyLine(name) };
    const fault = filterNameFault(slug) ?? filterNameFault(tidy.name);
    if (fault !== null) lost(what, `"${shortened(tidy.name)}": ${fault}`);
    return fault === null ? tidy : null;
  };
  const author = ({ username, name, avatar }: ImportedAuthor): ImportedAuthor | null => {
    const tidy = tidyLine(name);
    const fault = pathNameFault(username, TEXT_LIMITS.name) ?? filterNameFault(tidy);
    if (fault !== null) lost('author', `"${shortened(tidy)}": ${fault}`);
    return fault === null ? { username, name: tidy, avatar: address(avatar, "author's image") } : null;
  };
  for (const name of post.coAuthors ?? []) lost('co-author', shortened(tidyLine(name)));
  return {
    ...post,
    title: cut(post.title, 'title', 'title'),
    description: cutOrNull(post.description, 'description'),
    cover: address(post.cover, 'image'),
    metaTitle: cutOrNull(post.metaTitle, 'title for search engines'),
    metaDescription: cutOrNull(post.metaDescription, 'description for search engines'),
    category: post.category && term(post.category, 'category'),
    tags: post.tags.map((tag) => term(tag, 'tag')).filter((tag) => tag !== null),
    author: post.author && author(post.author),
    url: address(post.url, 'address'),
  };
}

function shortened(name: string): string {
  return name.length <= 60 ? name : `${[...name.slice(0, 60)].slice(0, -1).join('')}…`;
}
