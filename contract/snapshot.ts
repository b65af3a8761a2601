/**
 * The format of snapshots. The build writes it and the gateway reads it. This folder is all that the two share, and it
 * imports nothing from any platform.
 *
 *   snapshot.json             the pointer: which snapshot is current       pointer.ts
 *                             in a bucket also objects that a cold gateway needs first: bucket-pointer.ts
 *   objects/KIND/ab/HASH.json immutable objects, named by their content    object-name.ts
 *   objects/KIND/ab/HASH      the same, with any bytes: the kinds `file` and `suffixes`
 *   packs/ID                  in a bucket: copies of many objects          pack.ts
 *   packs/articles/HASH       in a bucket: the articles of a page, gzipped
 *
 * A snapshot's id is the hash of its directory, which names all other objects (directory.ts) except `changes`:
 * the pointer names it, because snapshots contain no data about publishes (change-log.ts). The kinds, each with a row in
 * object-kinds.ts:
 *
 *   directory   counts, the policy, and the hashes of all that follows
 *   names       a shard of one of the directory's name tables               name-table.ts
 *   post        one article's detail, a ready answer                        records.ts
 *   post_hashes the objects of 1,000 articles, by position                  post-hashes.ts
 *   page        up to 50 article summaries, by position                     pages.ts, records.ts
 *   views       view counts, by position                                    columns.ts
 *   popular     positions, most viewed first                                columns.ts
 *   popular_page  the 50 most viewed posts, and the next                      popular-pages.ts
 *   set         the positions of one category's, tag's or author's posts    sets.ts
 *   set_page    50 summaries of these posts                                 sets.ts
 *   suffixes    a part of the search index: text → posts                    search/suffix-tree.ts
 *   author      one author, a ready answer
 *   authors     up to 50 authors, in the order they are listed              pages.ts
 *   categories  all categories, a ready answer
 *   tags        all tags, a ready answer
 *   overview    the overview, a ready answer
 *   changes     which publish changed which articles                        change-log.ts
 *   file        the documentation page, the description, or an asset        directory.ts
 *
 * A position is a post's place in the order (published_at, then slug), oldest first, from 0.
 */

/** Incremented when older gateways cannot read snapshots of a newer build (docs/contributors/snapshot.md). */
export const FORMAT = 7;

/**
 * The most posts of a blog with a pack (pack.ts), which is rewritten with each publish and so must stay small. In
 * larger blogs, sets have summaries (sets.ts), and so have the most viewed posts (popular-pages.ts).
 */
export const PACKED_POSTS = 1024;
