/**
 * The snapshot's format at a glance. The build writes it, the gateway reads it; neither knows more of
 * the other than what this folder says, and this folder imports nothing from any platform.
 *
 *   snapshot.json             the pointer: which snapshot is current       pointer.ts
 *   objects/KIND/ab/HASH.json immutable objects, named by their content    object-name.ts
 *   objects/KIND/ab/HASH      the same, with any bytes: kinds `file` and `earlier`
 *   packs/ID                  in a bucket: copies of many in one file      pack.ts
 *   packs/current             the same, of what a cold gateway needs first
 *   packs/articles/HASH       in a bucket: the articles of a page, by gzip
 *
 * A snapshot's id is the hash of its directory, which names every other object (directory.ts) but two: the pointer
 * names `changes`, since it tells of publishes, and `changes` names `earlier` (change-log.ts). The kinds, each with a
 * row in object-kinds.ts:
 *
 *   directory   counts, the policy, and the hashes of all that follows
 *   names       a shard of one of the directory's name tables               name-table.ts
 *   post        one article's detail, a ready answer
 *   post_hashes the objects of 1,000 articles, by position                  post-hashes.ts
 *   page        up to 50 article summaries, by position                     pages.ts
 *   views       view counts, by position                                    columns.ts
 *   popular     positions, most viewed first                                columns.ts
 *   set         the positions of one category's, tag's or author's posts    sets.ts
 *   set_page    50 summaries of these posts                                 sets.ts
 *   suffixes    in which posts texts occur: a part of the search index      suffix-tree.ts
 *   search      the same of snapshots of formats 1 and 2, which is not read
 *   author      one author, a ready answer
 *   authors     up to 50 authors, in the order they are listed              pages.ts
 *   categories  all categories, a ready answer
 *   tags        all tags, a ready answer
 *   overview    the overview, a ready answer
 *   changes     which publish changed which articles                        change-log.ts
 *   earlier     whole articles as they were before a publish, by gzip       records.ts
 *   file        the documentation page, the description, or an asset        directory.ts
 *
 * A position is a post's place in the order (published_at, then slug), oldest first, from 0.
 */

/**
 * Raised when an older gateway could not read what a newer build writes. 2: sets have pages of their own. 3: search by a
 * tree of suffixes.
 */
export const FORMAT = 3;

/**
 * A blog of at most so many posts has a pack (pack.ts). It is rewritten with each publish, so it must stay small. The
 * sets of larger blogs have summaries (sets.ts).
 */
export const PACKED_POSTS = 1024;

/** A gateway reads these: until the next build, also snapshots of the format before. */
export const READABLE_FORMATS = [1, 2, FORMAT] as const;
export type ReadableFormat = (typeof READABLE_FORMATS)[number];
