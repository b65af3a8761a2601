import type { PostRow } from './tables.ts';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * What each post is found again by at the next import: the first of its UUID, its id and its slug that no
 * other post of the file has. The UUID goes first, since it stays when a blog moves to another Ghost,
 * where ids are given anew; ids of old versions count from 1 in every blog.
 */
export function sourcesOf(posts: readonly PostRow[]): string[] {
  const names = posts.map(({ uuid, id, slug }) => [
    uuid !== null && UUID.test(uuid) ? uuid.toLowerCase() : '',
    id === null ? '' : `id-${id}`,
    slug === null || slug === '' ? '' : `slug-${slug}`,
  ]);
  const counts = new Map<string, number>();
  for (const name of names.flat()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return names.map(
    (own) =>
      `ghost:${own.find((name) => name !== '' && counts.get(name) === 1) ?? own.filter(Boolean).join('/')}`,
  );
}
