import type { Directory } from '../../contract/directory.ts';
import type { ObjectHash } from '../../contract/object-name.ts';
import { encodePage } from '../../contract/pages.ts';
import { FORMAT } from '../../contract/snapshot.ts';
import type { Post, Taxonomy } from '../snapshot/blog.ts';
import { makeColumns, makeTerms } from '../snapshot/listings.ts';
import { NOTHING_MADE } from '../snapshot/memory.ts';
import { MemoryObjects } from '../snapshot/memory-objects.ts';
import { writeNames } from '../snapshot/names.ts';
import { pageStarts } from '../snapshot/pages.ts';
import { renderOverview } from '../snapshot/render.ts';
import { makeSets, writeFilterTables } from '../snapshot/sets.ts';
import type { Site } from '../snapshot/site.ts';

/** An article of the blog. */
export interface ExamplePost {
  readonly post: Post;
  readonly body: ObjectHash;
  /** Its record in lists, as JSON text. */
  readonly summary: string;
  readonly tagIds: readonly number[];
}

/** Values of parameters for which the blog has something. */
export type KnownValues = Readonly<
  Partial<Record<'slug' | 'username' | 'category' | 'tag' | 'author', string | undefined>>
>;

/** A small snapshot in memory. */
export interface ExampleBlog {
  /** Other articles, names, limits or addresses give another id. */
  readonly id: ObjectHash;
  readonly directory: Directory;
  /** All its objects but the articles, which are those of the real snapshot. */
  readonly objects: MemoryObjects;
  readonly known: KnownValues;
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
  oldest: readonly ExamplePost[],
  service: Pick<Directory, 'policy' | 'site'>,
): ExampleBlog {
  const objects = new MemoryObjects();
  const shown = choose(oldest);
  const posts = shown.map(({ post }) => post);
  const tagged = new Map(
    [...taxonomy.tags.keys()].map((tag) => [
      tag,
      shown.filter(({ tagIds }) => tagIds.includes(tag)).map(({ post }) => post.id),
    ]),
  );
  const sets = makeSets({ posts, tagged, taxonomy }, [], NOTHING_MADE, objects);
  const categories = new Map([...taxonomy.categories].filter(([id]) => sets.category.has(id)));
  const { author, ...terms } = makeTerms(site, { ...taxonomy, categories }, sets, objects);
  const { byViews: _, ...columns } = makeColumns(
    posts.map((post) => post.views),
    objects,
  );
  const directory: Directory = {
    format: FORMAT,
    posts: posts.length,
    policy: service.policy,
    site: service.site,
    overview: objects.put('body', renderOverview(service.policy, site)),
    files: [],
    ...terms,
    ...columns,
    pages: posts.length === 0 ? [] : [objects.put('lines', encodePage(shown))],
    page_times: pageStarts(posts),
    // Small blogs have none.
    suffixes: [],
    most_viewed: null,
    names: {
      post: writeNames(
        shown.map(({ post: { slug, time }, body }) => [slug, body, time]),
        objects,
      ),
      author,
      ...writeFilterTables(taxonomy, sets, objects),
    },
  };
  const id = objects.put('directory', JSON.stringify(directory));
  return { id, directory, objects, known: findKnown(shown.find(isRich) ?? shown[0], taxonomy) };
}

function findKnown(shown: ExamplePost | undefined, { categories, tags, authors }: Taxonomy): KnownValues {
  const { post: { slug, categoryId = null, authorId = null } = {}, tagIds: [tagId] = [] } = shown ?? {};
  const username = authorId === null ? undefined : authors.get(authorId)?.username;
  return {
    slug,
    category: categoryId === null ? undefined : categories.get(categoryId)?.slug,
    tag: tagId === undefined ? undefined : tags.get(tagId)?.slug,
    author: username,
    username,
  };
}

function isRich({ post: { categoryId, authorId }, tagIds }: ExamplePost): boolean {
  return categoryId !== null && authorId !== null && tagIds.length > 0;
}

function choose(oldest: readonly ExamplePost[]): ExamplePost[] {
  const preferred = [...oldest.filter(isRich), ...oldest.filter((post) => !isRich(post))].slice(0, SIZE);
  return oldest.filter((post) => preferred.includes(post));
}
