import type { ImportedAuthor } from '../imported-item.ts';
import { publicName } from '../article/public-name.ts';
import { termSlug } from '../../common/content/term-slug.ts';
import { tidyLine } from '../../common/content/text.ts';
import { textOf, type Item } from './item.ts';
import type { Site } from './survey.ts';

/**
 * The post's first author; the API shows one. The plug-in Co-Authors Plus stores authors as terms; otherwise it is the
 * post's creator. Logins that are e-mail addresses are not public.
 */
export function authorOf(
  item: Item,
  site: Site,
  inLanguage: (text: string) => string,
): ImportedAuthor | null {
  const coAuthor = item.terms.find(({ domain, name }) => domain === 'author' && name.trim() !== '');
  if (coAuthor !== undefined) {
    const nicename = coAuthor.nicename.replace(/^cap-/, '');
    const login = [...site.authors.keys()].find((known) => termSlug(known) === termSlug(nicename));
    return authorFrom(login ?? nicename, site.authors.get(login ?? '') || coAuthor.name, inLanguage);
  }
  const creator = tidyLine(textOf(item, 'dc:creator'));
  return creator === '' ? null : authorFrom(creator, site.authors.get(creator) || creator, inLanguage);
}

function authorFrom(
  login: string,
  shown: string,
  inLanguage: (text: string) => string,
): ImportedAuthor | null {
  const name = publicName(inLanguage(shown));
  const id = login.includes('@') || login === '' ? name : login;
  // Like WordPress for the author's own page.
  const username = termSlug(id);
  return username === '' ? null : { username, name: name || username, avatar: null };
}
