import type { Place } from './place.ts';

/**
 * The path on the site of a page bundle (`hello/index.md`) and its files, such as `/posts/hello/`: its own address if it
 * has one, else its folder below `content/`. Null for other posts, and where neither is known. `above` are the folders
 * above the imported one.
 */
export function bundlePath(place: Place, above: readonly string[], ownUrl: string | null): string | null {
  if (!place.isBundle) return null;
  if (ownUrl !== null) return /^\/(?:[^.]|\.(?=.*\/))*$/.test(ownUrl) ? ownUrl.replace(/\/?$/, '/') : null;
  const folders = [...above, ...place.path.split('/').slice(0, -1)];
  const content = folders.lastIndexOf('content');
  return content === -1 ? null : `/${folders.slice(content + 1).join('/')}/`;
}
