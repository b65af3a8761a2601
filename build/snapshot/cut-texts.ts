import { type CutText, cutText, lengthFault, TEXT_LIMITS } from '../../contract/text-limits.ts';
import type { PostText } from './blog.ts';

/** The texts of a post that may be cut or dropped. */
type Texts = Pick<PostText, 'title' | 'description' | 'metaTitle' | 'metaDescription' | 'cover' | 'url'>;

/**
 * Applies the limits of contract/text-limits.ts to a post: cuts texts that are too long, and drops such addresses.
 *
 * @returns the texts, and what was cut: `its title was cut: it has 1001 characters; at most 1000 are allowed`; null:
 *   nothing
 */
export function cutPostTexts(texts: Texts): { readonly texts: Texts; readonly cut: string | null } {
  const cuts: string[] = [];
  const shortened = (column: string, text: string, kind: CutText): string => {
    const fault = lengthFault(text, TEXT_LIMITS[kind]);
    if (fault === null) return text;
    cuts.push(`its ${column} was cut: ${fault}`);
    return cutText(text, kind);
  };
  const address = (column: string, text: string | null): string | null => {
    const fault = text && lengthFault(text, TEXT_LIMITS.address);
    if (fault) cuts.push(`its ${column} is not used: ${fault}`);
    return fault ? null : text;
  };
  const { title, description, metaTitle, metaDescription, cover, url } = texts;
  const within: Texts = {
    title: shortened('title', title, 'title'),
    description: description && shortened('description', description, 'description'),
    metaTitle: metaTitle && shortened('meta_title', metaTitle, 'description'),
    metaDescription: metaDescription && shortened('meta_description', metaDescription, 'description'),
    cover: address('cover', cover),
    url: address('url', url),
  };
  return { texts: within, cut: cuts.length === 0 ? null : cuts.join('; ') };
}
