import { field, textField } from './fields.ts';
import { isList, isTable, type FrontMatter, type FrontValue } from './front-matter.ts';
import { sitePath } from './paths.ts';

/** Where generators and themes put a post's image, the surest first. */
const FIELDS = [
  'cover',
  'cover_image',
  'image',
  'featured_image',
  'feature_image',
  'hero',
  'hero_image',
  'header_image',
  'banner',
  'thumbnail',
  'header.image',
  'header.teaser',
  'extra.cover',
  'extra.cover_image',
  'extra.image',
  'extra.hero',
  'extra.banner',
  'extra.thumbnail',
  'extra.local_image',
  'extra.remote_image',
  'images',
  'seo.image',
  'og_image',
  'extra.og_image',
  'extra.social_media_card',
];

/**
 * The post's image: an absolute address, or a path on the site. One relative to a page bundle is found
 * beside it (`isBeside` tells whether the bundle has such a file); a bare file name elsewhere is
 * dropped, since only the theme knows its folder.
 */
export function coverOf(
  frontMatter: FrontMatter,
  bundle: string | null,
  isBeside: (name: string) => boolean,
): string | null {
  for (const value of [...FIELDS.map((path) => field(frontMatter, path)), featuredResource(frontMatter)]) {
    const written = imageFrom(value);
    if (written === null) continue;
    // Themes of Zola take what has a folder from the site's root, unless it lies beside the post.
    const fromRoot = 'extra' in frontMatter && /^[\w-]+\/./.test(written) && !isBeside(written);
    const path = fromRoot ? `/${written}` : sitePath(written, bundle);
    if (/^(?:https?:\/\/.|\/[^/])/i.test(path)) return path;
  }
  return null;
}

/** Hugo's page resources: those that a theme shows at the top carry a name that says so. */
function featuredResource(frontMatter: FrontMatter): FrontValue | undefined {
  const resources = field(frontMatter, 'resources');
  if (!isList(resources)) return undefined;
  return resources.find(
    (item) => isTable(item) && /featured|cover|hero|header|banner/i.test(textField(item, 'name') ?? ''),
  );
}

function imageFrom(value: FrontValue | undefined): string | null {
  if (typeof value === 'string')
    return /^(?:true|false|data:.*)?$/is.test(value.trim()) ? null : value.trim();
  if (isList(value)) return value.map((item) => imageFrom(item)).find((image) => image !== null) ?? null;
  if (!isTable(value)) return null;
  return (
    ['src', 'url', 'image', 'path', 'file', 'feature']
      .map((key) => imageFrom(field(value, key)))
      .find(Boolean) ?? null
  );
}
