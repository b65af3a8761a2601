import type { ImportedAuthor, Term } from '../imported-item.ts';
import { publicName } from '../article/public-name.ts';
import { tidySlug } from '../../common/content/slug.ts';
import { termSlug } from '../../common/content/term-slug.ts';
import { tidyLine } from '../../common/content/text.ts';
import { fileAddress } from './links.ts';
import type { GhostPerson, GhostTag } from './rows.ts';

/** Ghost's slug of a person is public, as part of an address; the e-mail address is not. */
export function authorFrom(person: GhostPerson, site: string | null): ImportedAuthor | null {
  const name = publicName(person.name ?? '');
  const username = tidySlug(person.slug ?? '') || termSlug(name);
  if (username === '') return null;
  const avatar = fileAddress(person.profile_image ?? person.image, site);
  return { username, name: name || username, avatar };
}

/**
 * A post's tags, in order, with Ghost's own slugs: Ghost shows them at `/tag/SLUG/`. Internal tags (`#newsletter`,
 * visibility `internal`) are only for the theme, so they are left out.
 */
export function termsFrom(tags: readonly GhostTag[]): Term[] {
  const terms = new Map<string, Term>();
  for (const tag of tags) {
    if (tag.visibility === 'internal' || /^\s*#/.test(tag.name ?? '')) continue;
    const name = tidyLine(tag.name ?? '') || tidyLine(tag.slug ?? '');
    const slug = tidySlug(tag.slug ?? '') || termSlug(name);
    if (slug !== '' && !terms.has(slug)) terms.set(slug, { slug, name });
  }
  return [...terms.values()];
}
