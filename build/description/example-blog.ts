import type { Directory } from '../../contract/directory.ts';
import type { ObjectHash } from '../../contract/object-name.ts';
import { encodePage } from '../../contract/pages.ts';
import { encodePostHashes } from '../../contract/post-hashes.ts';
import { FORMAT } from '../../contract/snapshot.ts';
import type { BuiltPost, Taxonomy } from '../snapshot/blog.ts';
import { buildColumns, buildTerms } from '../snapshot/listings.ts';
import { MemoryObjects } from '../snapshot/memory-objects.ts';
import { writeNames } from '../snapshot/names.ts';
import { renderOverview } from '../snapshot/render.ts';
import { buildFilterTables, setsOf } from '../snapshot/sets.ts';
import type { Site } from '../snapshot/site.ts';

/** An article of the blog, with its record in lists as JSON text. */
export interface ListedPost {
  readonly post: BuiltPost;
  readonly summary: string;
  readonly views: number;
}

/** A small snapshot in memory. */
export interface ExampleBlog {
  /** Other articles, names, limits or addresses give another id. */
  readonly id: ObjectHash;
  readonly directory: Directory;
  /** All its objects but the articles, which are those of the real snapshot. */
  readonly objects: MemoryObjects;
}

/** Articles in it, at most. */
const SIZE = 3;

/**
 * The blog that examples show: three of the oldest articles of the real one, with their categories, tags and authors.
 * Counts are those of this small blog, so examples stay the same while the blog grows.
 *
 * @param oldest posts in their order, among which articles with a category, an author and a tag are preferred
 * @param service the limits and addresses of the real directory
 */
export function makeExampleBlog(
  site: Site,
  taxonomy: Taxonomy,
  oldest: readonly ListedPost[],
  service: Pick<Directory, 'policy' | 'site'>,
): ExampleBlog {
  const objects = new MemoryObjects();
  const shown = choose(oldest);
  const posts = shown.map(({ post }) => post);
  const views = shown.map((one) => one.views);
  const sets = setsOf(posts, objects);
  const categories = new Map([...taxonomy.categories].filter(([id]) => sets.category.has(id)));
  const { author, ...terms } = buildTerms(site, { ...taxonomy, categories }, sets, objects);
  const directory: Directory = {
    format: FORMAT,
    posts: posts.length,
    policy: service.policy,
    site: service.site,
    overview: objects.put('overview', renderOverview(service.policy, site)),
    files: [],
    ...terms,
    ...buildColumns(views, objects),
    pages: posts.length === 0 ? [] : [objects.put('page', encodePage(shown.map(({ summary }) => summary)))],
    page_times: posts.slice(0, 1).map(({ unix }) => unix ?? 0),
    post_hashes: [objects.put('post_hashes', encodePostHashes(posts.map(({ hash }) => hash ?? '')))],
    // Small blogs have none.
    suffixes: [],
    popular_pages: [],
    names: {
      post: writeNames(
        posts.map(({ slug, hash }) => [slug, hash ?? '']),
        objects,
      ),
      author,
      ...buildFilterTables(posts.length, taxonomy, sets, objects),
    },
  };
  return { id: objects.put('directory', JSON.stringify(directory)), directory, objects };
}

function choose(oldest: readonly ListedPost[]): ListedPost[] {
  const isRich = ({ post: { categoryId, authorId, tagIds } }: ListedPost) =>
    categoryId !== null && authorId !== null && tagIds !== '';
  const preferred = [...oldest.filter(isRich), ...oldest.filter((post) => !isRich(post))].slice(0, SIZE);
  return oldest.filter((post) => preferred.includes(post));
}
