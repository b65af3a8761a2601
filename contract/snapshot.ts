/**
 * The snapshot's format at a glance. The build writes it, the gateway reads it; neither knows more of
 * the other than what this folder says, and this folder imports nothing from any platform.
 *
 *   snapshot.json             the pointer: which snapshot is current       pointer.ts
 *   objects/KIND/ab/HASH.json immutable objects, named by their content    object-name.ts
 *   objects/file/ab/HASH      the same, with any bytes
 *   packs/ID                  in a bucket: copies of many in one file      pack.ts
 *
 * A snapshot's id is the hash of its directory, which names every other object (directory.ts). The kinds, each with a row
 * in object-kinds.ts:
 *
 *   directory   counts, the policy, and the hashes of all that follows
 *   names       a shard of one of the directory's name tables               name-table.ts
 *   post        one article's detail, a ready answer
 *   page        up to 50 article summaries, by position                     pages.ts
 *   views       view counts, by position                                    columns.ts
 *   popular     positions, most viewed first                                columns.ts
 *   set         the positions of one category's, tag's or author's posts    positions.ts
 *   search      the words of a run of positions, and where they occur       search-index.ts
 *   author      one author, a ready answer
 *   authors     up to 50 authors, in the order they are listed              pages.ts
 *   categories  all categories, a ready answer
 *   tags        all tags, a ready answer
 *   overview    the overview, a ready answer
 *   file        the documentation page, the description, or an asset        directory.ts
 *
 * A position is a post's place in the order (published_at, then slug), oldest first, from 0.
 */

/** Raised when an older gateway could not read what a newer build writes. */
export const FORMAT = 1;
