import { decodePercent } from '../../common/content/slug.ts';
import type { Place } from './place.ts';

/** Folders at a site's root, which front matter often names without the slash. */
const ROOT_FOLDER = /^(?:\.\/)?(?:(?:static|public)\/|(?=(?:assets|images?|img|media|uploads|files)\/))/i;

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

/**
 * The path on the site of a file or page that a post names: absolute addresses and paths are unchanged; relative ones
 * are resolved from the post's bundle, if any. Never above the site's root.
 */
export function sitePath(written: string, bundle: string | null): string {
  if (written.startsWith('//')) return `https:${written}`;
  if (written === '' || /^(?:[a-z][a-z\d+.-]*:|[/#?])/i.test(written)) return written;
  if (bundle === null) return ROOT_FOLDER.test(written) ? `/${written.replace(ROOT_FOLDER, '')}` : written;
  // Themes also accept paths from `content/`.
  if (`/${written}`.startsWith(bundle)) return `/${written}`;
  const { pathname, search, hash } = new URL(written, `http://site.example${bundle}`);
  return decodePercent(pathname).replace(/\s/g, '%20') + search + hash;
}
