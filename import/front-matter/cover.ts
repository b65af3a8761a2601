import { pictureAt, sitePath } from '../article/address.ts';
import { field, textField } from './fields.ts';
import { isList, isTable, type FrontMatter, type FrontValue } from './front-matter.ts';

/** Fields where generators and themes put a post's image, the most reliable first. */
const FIELDS = [
  'cover',
  'image',
  'featured_image',
  'hero',
  'heroImage',
  'banner',
  'thumbnail',
  'extra.local_image',
  'images',
  'extra.social_media_card',
];

/**
 * The post's image: an absolute address, or a path on the site. One relative to a page bundle resolves to the bundle's
 * path (`isBeside` tells whether the bundle has the file). A bare file name elsewhere is dropped, since only the theme
 * knows its folder.
 */
export function findCover(
  frontMatter: FrontMatter,
  bundle: string | null,
  isBeside: (name: string) => boolean,
): string | null {
  for (const written of imagesIn(frontMatter)) {
    // Zola's themes resolve paths with a folder from the site's root, unless the file is next to the post.
    const fromRoot = 'extra' in frontMatter && /^[\w-]+\/./.test(written) && !isBeside(written);
    const path = pictureAt(fromRoot ? `/${written}` : sitePath(written, bundle));
    if (path !== null) return path;
  }
  return null;
}

/** The image that a post names if it has no cover: its place is known only to the theme. */
export function findUnplacedCover(frontMatter: FrontMatter, cover: string | null): string | null {
  return cover === null ? (imagesIn(frontMatter)[0] ?? null) : null;
}

function imagesIn(frontMatter: FrontMatter): readonly string[] {
  const values = [...FIELDS.map((path) => field(frontMatter, path)), featuredResource(frontMatter)];
  return values.map((value) => imageFrom(value)).filter((image) => image !== null);
}

/** Hugo's page resources: the name of a featured image says so. */
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
    ['src', 'url', 'image', 'path', 'feature'].map((key) => imageFrom(field(value, key))).find(Boolean) ??
    null
  );
}
