/** Paths of the files in the tree, and links between them. */
import { posix } from 'node:path';
import { API_VERSION } from '../../contract/api.ts';
import { fileName } from './file-name.ts';

/** The path of each kind of answer, below `v1/`. Articles and lists have different folders, so names never collide. */
export const PATHS = {
  overview: 'index.json',
  posts: 'posts/newest.json',
  postsArchive: 'posts/archive/{page}.json',
  popularPosts: 'posts/popular.json',
  post: 'post/{slug}.json',
  categories: 'categories.json',
  category: 'category/{slug}/newest.json',
  categoryArchive: 'category/{slug}/archive/{page}.json',
  tags: 'tags.json',
  tag: 'tag/{slug}/newest.json',
  tagArchive: 'tag/{slug}/archive/{page}.json',
  authors: 'authors.json',
  author: 'author/{username}.json',
  postsByAuthor: 'author/{username}/newest.json',
  postsByAuthorArchive: 'author/{username}/archive/{page}.json',
} as const;

export type AnswerKind = keyof typeof PATHS;

export const KINDS: readonly AnswerKind[] = Object.keys(PATHS).filter(isAnswerKind);

function isAnswerKind(name: string): name is AnswerKind {
  return Object.hasOwn(PATHS, name);
}

/**
 * The path of an answer, from the root of the tree: `v1/tag/c/archive/2.json`.
 *
 * @param name the slug or username, if the path has one
 */
export function answerPath(kind: AnswerKind, name = '', page = 1): string {
  const path: string = PATHS[kind];
  const filled = path.replace(/\{(?:slug|username)\}/, () => fileName(name)).replace('{page}', String(page));
  return `${API_VERSION}/${filled}`;
}

/** A link from one file to another: relative, so that the tree works under any path of a site. */
export function linkTo(from: string, to: string): string {
  return posix.relative(posix.dirname(from), to);
}
