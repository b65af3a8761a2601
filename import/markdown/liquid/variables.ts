import { posix } from 'node:path';
import { field, textField } from '../fields.ts';
import { asTable, type FrontMatter, isList } from '../front-matter.ts';
import type { LiquidPage, LiquidSite } from './site.ts';

/** Called when a text uses a value that only Jekyll has; the value is empty. */
type Missing = (value: string) => null;

/** A post as `page` and in `site.posts`: its front matter, and what Jekyll adds. */
export interface LiquidPost extends Omit<LiquidPage, 'frontMatter'> {
  readonly id: string;
  readonly slug: string;
  readonly relative_path: string;
  readonly name: string;
  readonly ext: string;
  readonly collection: 'posts';
  readonly draft: false;
}

/** @param posts newest first */
export function liquidPosts(posts: readonly LiquidPage[], missing: Missing): readonly LiquidPost[] {
  const all: LiquidPost[] = [];
  for (const [at, post] of posts.entries()) {
    const neighbours = { next: () => all[at - 1] ?? null, previous: () => all[at + 1] ?? null };
    all.push(liquidPost(post, missing, neighbours));
  }
  return all;
}

export function liquidPost(
  { frontMatter, ...page }: LiquidPage,
  missing: Missing,
  neighbours: Readonly<Record<string, () => LiquidPost | null>> = {},
): LiquidPost {
  const name = posix.basename(page.path);
  const ext = posix.extname(name);
  const slug = textField(frontMatter, 'slug') ?? posix.basename(name, ext).replace(/^\d+-\d+-\d+-/, '');
  const post = {
    ...frontMatter,
    ...page,
    id: posix.join(posix.dirname(page.url), slug),
    slug,
    relative_path: page.path,
    name,
    ext,
    collection: 'posts',
    draft: false,
  } as const;
  for (const key of ['content', 'output', 'excerpt'])
    if (!Object.hasOwn(frontMatter, key)) onDemand(post, key, () => missing(`${key} of a post`));
  // Not enumerable: each leads to all other posts.
  for (const [key, get] of Object.entries(neighbours)) Object.defineProperty(post, key, { get });
  return post;
}

/** Values that Jekyll derives from everything in a site. */
const OF_SITE = ['collections', 'documents', 'html_pages', 'pages', 'related_posts', 'static_files'];

/** `site`: its configuration, data and posts, and the posts by category and tag. */
export function liquidVariables(
  config: FrontMatter,
  { data }: Pick<LiquidSite, 'data'>,
  posts: readonly LiquidPost[],
  missing: Missing,
): Readonly<Record<string, unknown>> {
  const collections = field(config, 'collections');
  const names = isList(collections) ? collections.map(String) : Object.keys(asTable(collections) ?? {});
  const categories = filed(posts, ({ categories: terms }) => terms);
  const tags = filed(posts, ({ tags: terms }) => terms);
  const site = { ...config, data, posts, categories, tags };
  for (const key of [...OF_SITE, ...names.filter((name) => name !== 'posts')])
    onDemand(site, key, () => missing(`site.${key}`));
  return site;
}

/** Posts by term, newest first; the term of the oldest post comes first. */
function filed(
  posts: readonly LiquidPost[],
  under: (post: LiquidPost) => readonly string[],
): Readonly<Record<string, readonly LiquidPost[]>> {
  const table = new Map<string, LiquidPost[]>();
  for (const post of posts.toReversed())
    for (const term of under(post)) table.set(term, [...(table.get(term) ?? []), post]);
  return Object.fromEntries([...table].map(([term, oldestFirst]) => [term, oldestFirst.toReversed()]));
}

function onDemand(table: object, key: string, get: () => unknown): void {
  Object.defineProperty(table, key, { enumerable: true, get });
}
