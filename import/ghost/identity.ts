import type { PostRow } from './tables.ts';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Identifies each post at the next import: the first of UUID, id and slug that is unique in the file. The UUID comes
 * first: it survives a move to another Ghost, which assigns new ids. Ids of old versions count from 1 in every blog.
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
