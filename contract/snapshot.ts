/**
 * The format of snapshots. The build writes it and the gateway reads it. This folder is all that the two share, and it
 * imports nothing from any platform.
 *
 *   snapshot.json             the pointer: which snapshot is current       pointer.ts
 *                             in a bucket also objects that a cold gateway needs first: bucket-pointer.ts
 *   objects/KIND/ab/HASH      immutable objects, named by their content    object-name.ts
 *   packs/ID                  in a bucket: copies of many objects          pack.ts
 *
 * A snapshot's id is the hash of its directory, which names all other objects, but for the record of changes: the pointer names
 * that, because snapshots contain no data about publishes. The kinds:
 *
 *   directory   counts, the policy, and the hashes of all that follows      directory.ts
 *   body        bytes that are served as they are: an article, an author, the categories, the tags, the overview, a file
 *   lines       records, one a line, and columns about them                 lines.ts
 *               - summaries of articles by position; authors as listed      pages.ts, records.ts
 *               - the most viewed articles                                  popularity.ts
 *               - the newest posts of a category, tag or author             sets.ts
 *               - a shard of a name table                                   name-table.ts
 *               - a part of the record of changes                           change-log.ts
 *   numbers     view counts by position; positions, most viewed first       popularity.ts
 *   positions   the posts of a category, tag or author                      sets.ts
 *   suffixes    a part of the search index: text → posts                    search/suffix-tree.ts
 *
 * A position is a post's place in the order (published_at, then slug), oldest first, from 0.
 */

/** Incremented when older gateways cannot read snapshots of a newer build (docs/contributors/snapshot.md). */
export const FORMAT = 8;

/**
 * The most posts of a blog with a pack (pack.ts), which is rewritten with each publish and so must stay small. In
 * larger blogs, the newest posts of a set and the most viewed ones have copies of their summaries.
 */
export const PACKED_POSTS = 1024;

/** Records in a full page: summaries by position, or authors (pages.ts). */
export const PAGE_SIZE = 50;
