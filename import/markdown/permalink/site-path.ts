import { parseDate } from '../../../common/content/date.ts';
import { localOffsetIn } from '../../../common/content/moment.ts';
import { parseAddress, type Address } from '../../article/address.ts';
import { textField } from '../fields.ts';
import type { FrontMatter } from '../front-matter.ts';
import { isNoDate } from '../status.ts';
import type { Site } from '../site.ts';
import { hugoFile, hugoPath } from './hugo.ts';
import { documentPath, jekyllPath } from './jekyll.ts';
import { zolaPath } from './zola.ts';

/**
 * The path at which its generator serves a page, below the site's address; null if the generator is unknown or the path
 * uncertain.
 *
 * @param path relative to the imported folder
 * @param publishedAt ISO 8601
 */
export function servedAt(
  path: string,
  frontMatter: FrontMatter,
  publishedAt: string | null,
  site: Site,
): Address | null {
  if (!path.startsWith(site.root)) return null;
  const written = pathIn(path.slice(site.root.length), frontMatter, publishedAt, site);
  return written === null ? null : parseAddress(written);
}

/** The address of a page with the site's path on its host: generators' paths are below it. */
export function onSite({ url, slug }: Address, site: Pick<Site, 'url'>): Address {
  return { url: url.startsWith('/') ? basePathOf(site.url ?? '') + url : url, slug };
}

/** `/blog` of `https://a.example/blog/`, or of Jekyll's `baseurl` alone. */
function basePathOf(address: string): string {
  const path = address.startsWith('/')
    ? address
    : /^https?:/i.test(address)
      ? URL.parse(address)?.pathname
      : '';
  return (path ?? '').replace(/\/+$/, '');
}

function pathIn(
  path: string,
  frontMatter: FrontMatter,
  publishedAt: string | null,
  { generator, config, zone }: Site,
): string | null {
  switch (generator) {
    case 'jekyll':
      return (
        jekyllPath(path, frontMatter, publishedAt, config) ??
        (textField(frontMatter, 'permalink') === null ? documentPath(path, config) : null)
      );
    case 'zola':
      return zolaPath(path, frontMatter, config);
    case 'hugo': {
      const file = hugoFile(path, config);
      if (file === null) return null;
      const title = textField(frontMatter, 'title') ?? '';
      return hugoPath(file, frontMatter, title, hugoDate(frontMatter, zone), config);
    }
    case null:
      return null;
  }
}

/** Hugo's `.Date`, which may differ from the date of publication. */
function hugoDate(frontMatter: FrontMatter, zone: string | null): string | null {
  const written = ['date', 'publishDate', 'pubDate', 'published', 'lastmod', 'modified']
    .map((key) => textField(frontMatter, key))
    .find((date) => date !== null && !isNoDate(date));
  return written ? parseDate(written, localOffsetIn(zone)) : null;
}
