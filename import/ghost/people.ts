import type { ImportedAuthor, Term } from '../imported-item.ts';
import { bylineOf } from '../article/byline.ts';
import { publicName } from '../article/public-name.ts';
import { tidySlug } from '../../common/content/slug.ts';
import { termSlug } from '../../common/content/term-slug.ts';
import { tidyLine } from '../../common/content/text.ts';
import { fileAddress } from './links.ts';
import type { PostRow, TagRow, Tables, UserRow } from './tables.ts';

/** The post's authors that the export contains. Missing ones are added to `faults`. */
export function authorsOf(
  row: PostRow,
  tables: Tables,
  site: string | null,
  faults: string[],
): ReturnType<typeof bylineOf> {
  const linked = tables.authorsOf.get(row.id ?? '') ?? [];
  const ids = linked.length > 0 ? linked : row.author_id === null ? [] : [row.author_id];
  return bylineOf(
    ids.map((id) => {
      const user = tables.users.get(id);
      const author = user === undefined ? null : authorFrom(user, site);
      if (author === null) faults.push(`its author ${id} is not among the users of the export`);
      return author;
    }),
  );
}

/** Ghost's slug of a person is public, as part of an address; the e-mail address is not. */
function authorFrom(user: UserRow, site: string | null): ImportedAuthor | null {
  const name = publicName(user.name ?? '');
  const username = tidySlug(user.slug ?? '') || termSlug(name);
  if (username === '') return null;
  return { username, name: name || username, avatar: fileAddress(user.profile_image ?? user.image, site) };
}

/**
 * The post's tags, in order, with Ghost's own slugs: Ghost shows them at `/tag/SLUG/`. Internal tags (`#newsletter`,
 * visibility `internal`) are only for the theme, so they are left out.
 */
export function tagsOf(row: PostRow, tables: Tables, faults: string[]): Term[] {
  const terms = new Map<string, Term>();
  for (const id of tables.tagsOf.get(row.id ?? '') ?? []) {
    const tag = tables.tags.get(id);
    if (tag === undefined) faults.push(`its tag ${id} is not among the tags of the export`);
    else if (!isInternal(tag)) {
      const name = tidyLine(tag.name ?? '') || tidyLine(tag.slug ?? '');
      const slug = tidySlug(tag.slug ?? '') || termSlug(name);
      if (slug !== '' && !terms.has(slug)) terms.set(slug, { slug, name });
    }
  }
  return [...terms.values()];
}

function isInternal({ name, visibility, hidden }: TagRow): boolean {
  return visibility === 'internal' || /^\s*#/.test(name ?? '') || hidden === true || hidden === 1;
}
