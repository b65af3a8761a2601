import { decodePercent } from '../../common/content/slug.ts';

/** Folders at a site's root, which front matter often names without the slash. */
const ROOT_FOLDER = /^(?:\.\/)?(?:(?:static|public)\/|(?=(?:assets|images?|img|media|uploads|files)\/))/i;

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
