import { createHash } from 'node:crypto';

/**
 * Maps slugs, which may contain any character and up to 1,000 of them, to folder names for any file system. Unsuitable
 * characters are replaced, and the slug's hash is appended; also if slugs differ only in case.
 *
 * @param {string[]} slugs
 * @returns {(slug: string) => string}
 */
export function pathsOf(slugs) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  const folded = (/** @type {string} */ slug) => tidy(slug).toLowerCase();
  for (const slug of slugs) counts.set(folded(slug), (counts.get(folded(slug)) ?? 0) + 1);
  return (slug) => {
    if (tidy(slug) === slug && counts.get(folded(slug)) === 1) return slug;
    const hash = createHash('sha256').update(slug).digest('hex').slice(0, 8);
    return `${tidy(slug)}-${hash}`.replace(/^-/, '');
  };
}

/** 60 characters have at most 240 bytes, and a file name at most 255. */
const LETTERS = 60;

/** Letters and digits of any script, without dots at the ends: no folder is called `..`. */
function tidy(/** @type {string} */ slug) {
  const plain = slug.normalize('NFC').replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '-');
  return [...plain]
    .slice(0, LETTERS)
    .join('')
    .replace(/^[-.]+|[-.]+$/g, '');
}

/** @typedef {'categories' | 'tags' | 'authors' | 'years'} Kind of a group of articles */

/**
 * The address of a page of the site.
 *
 * @param {'posts' | Kind} kind
 * @param {string} path
 */
export const addressOf = (kind, path) => `/${kind}/${encodeURIComponent(path)}/`;
