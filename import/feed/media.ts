import { childrenNamed, resolved, type XmlElement } from '../xml/elements.ts';
import type { Attachment } from './entry.ts';

/**
 * The image of an entry (from Media RSS, an enclosure, a thumbnail, or a podcast episode), and its other attachments.
 */
export function mediaOf(
  entry: XmlElement,
  enclosures: readonly Attachment[],
  url: string | null,
): { readonly cover: string | null; readonly attachments: readonly Attachment[] } {
  const media = [entry, ...childrenNamed(entry, 'media:group')];
  const contents = media.flatMap((group) => childrenNamed(group, 'media:content'));
  const thumbnails = [
    ...media.flatMap((group) => childrenNamed(group, 'media:thumbnail')),
    ...childrenNamed(entry, 'itunes:image'),
  ];
  const images = [...contents.map((content) => fileOf(content, url)), ...enclosures].filter(isImage);
  const covers = [...images, ...thumbnails.map((thumbnail) => fileOf(thumbnail, url))];
  return {
    cover: covers.find((file) => /^https?:\/\/./i.test(file.url))?.url ?? null,
    attachments: enclosures.filter((enclosure) => enclosure.url !== '' && !isImage(enclosure)),
  };
}

function fileOf({ attributes, base }: XmlElement, url: string | null): Attachment {
  const address = attributes['url'] ?? attributes['href'] ?? '';
  const kind = attributes['medium'] === undefined ? '' : `${attributes['medium']}/*`;
  return { url: address.trim() && resolved(address, base ?? url), type: attributes['type'] ?? kind };
}

/** WordPress.com puts the author's picture first. */
function isImage({ url, type }: Attachment): boolean {
  if (/^https?:\/\/[^/]*gravatar\.com\/avatar\//i.test(url)) return false;
  return type === '' ? /\.(?:jpe?g|png|gif|webp|avif|svg)(?:[?#]|$)/i.test(url) : type.startsWith('image/');
}
