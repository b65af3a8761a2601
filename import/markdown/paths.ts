import { decodePercent } from '../../common/content/slug.ts';
import { textField } from './fields.ts';
import type { FrontMatter } from './front-matter.ts';
import { isLanguageCode, placeOf, type Place } from './place.ts';

/** Folders at a site's root, which front matter often names without the slash. */
const ROOT_FOLDER = /^(?:\.\/)?(?:(?:static|public)\/|(?=(?:assets|images?|img|media|uploads|files)\/))/i;

/**
 * The path below `content/` at which Hugo and Zola serve a page bundle and its files, such as `/posts/hello/`. Null for
 * other posts, and without a `content` folder in the path: relative names cannot be resolved there. `above` are the
 * folders above the imported one.
 */
export function bundlePath(place: Place, above: readonly string[], ownUrl: string | null): string | null {
  if (!place.isBundle) return null;
  if (ownUrl !== null) return ownUrl.startsWith('/') && ownUrl.endsWith('/') ? ownUrl : null;
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
  if (written.startsWith('@/')) return contentPath(written.slice(2));
  if (bundle === null) return ROOT_FOLDER.test(written) ? `/${written.replace(ROOT_FOLDER, '')}` : written;
  // Zola's themes also accept paths from `content/`.
  if (`/${written}`.startsWith(bundle)) return `/${written}`;
  const { pathname, search, hash } = new URL(written, `http://site.example${bundle}`);
  return decodePercent(pathname).replace(/\s/g, '%20') + search + hash;
}

/** Zola's `@/blog/hello/index.es.md#top` is served at `/es/blog/hello/#top`. */
function contentPath(written: string): string {
  const [, file = '', anchor = ''] = /^([^#]*)(#.*)?$/.exec(written) ?? [];
  const [, stem = file, language] = /^(.*?)(?:\.([a-z-]+))?\.md$/.exec(file) ?? [];
  const path = [language, ...stem.split('/')].filter((part) => part && !/^_?index$/.test(part)).join('/');
  return (path === '' ? '/' : `/${path}/`) + anchor;
}

/** Jekyll's names for address patterns; the default is `date`. */
const PERMALINKS: Readonly<Record<string, string>> = {
  date: '/:categories/:year/:month/:day/:title.html',
  pretty: '/:categories/:year/:month/:day/:title/',
  none: '/:categories/:title.html',
};

/**
 * The path of a page that a tag names by its file: Jekyll's `{% post_url 2015-03-17-hello %}` and `{% link
 * _docs/setup.md %}`, Hugo's `{{< ref "posts/hello.md#top" >}}`.
 */
export function pagePath(written: string, config: FrontMatter): string {
  const [, file = '', anchor = ''] = /^["']?([^#"']*)(#[^"']*)?/.exec(written.trim()) ?? [];
  const path = file.trim().replace(/^\.?\/+/, '');
  if (path === '') return anchor;
  const named = path.split('/').at(-1) ?? '';
  const { date, name } = placeOf(/\.\w+$/.test(named) ? named : `${named}.md`, () => false);
  if (date !== null) {
    const [year = '', month = '', day = ''] = date.split('-');
    const pattern = textField(config, 'permalink') ?? 'date';
    const values: Readonly<Record<string, string>> = {
      year,
      month,
      day,
      title: name,
      slug: name,
      categories: '',
    };
    const filled = (PERMALINKS[pattern] ?? pattern).replace(
      /:(\w+?)(?=\W|$)/g,
      (_all, key: string) => values[key] ?? '',
    );
    return `/${filled}`.replace(/\/{2,}/g, '/') + anchor;
  }
  const page = path.replace(/\.(?:md|markdown|mkdn?|html)$/i, '').replace(/(?:^|\/)_?index$/, '');
  return path.startsWith('_')
    ? `/${page.slice(1)}.html${anchor}`
    : `/${page}/${anchor}`.replace(/^\/\//, '/');
}

/** Whether `stem.suffix` is a translation of `stem`, given the paths of all files without extensions. */
export function translationsAmong(
  paths: readonly string[],
): (folder: string, stem: string, suffix: string) => boolean {
  const stems = new Map<string, number>();
  for (const path of paths) {
    const stem = path.replace(/\.[^./]*$/, '').replace(/\.[a-z]{2,3}(?:-[a-z\d]{2,8})*$/i, '');
    stems.set(stem, (stems.get(stem) ?? 0) + 1);
  }
  return (folder, stem, suffix) =>
    isLanguageCode(suffix) && (/^_?index$/.test(stem) || (stems.get(folder + stem) ?? 0) > 1);
}
