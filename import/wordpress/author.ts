import { bylineOf } from '../article/byline.ts';
import type { ImportedAuthor } from '../imported-item.ts';
import { publicName } from '../article/public-name.ts';
import { termSlug } from '../../common/content/term-slug.ts';
import { tidyLine } from '../../common/content/text.ts';
import { textOf, type Item } from './item.ts';
import type { Site } from './survey.ts';

/**
 * The post's authors. The plug-in Co-Authors Plus stores authors as terms; otherwise it is the
 * post's creator. Logins that are e-mail addresses are not public.
 */
export function authorsOf(
  item: Item,
  site: Site,
  inLanguage: (text: string) => string,
): ReturnType<typeof bylineOf> {
  const terms = item.terms.filter(({ domain, name }) => domain === 'author' && name.trim() !== '');
  if (terms.length > 0) {
    return bylineOf(
      terms.map((term) => {
        const nicename = term.nicename.replace(/^cap-/, '');
        const login = [...site.authors.keys()].find((known) => termSlug(known) === termSlug(nicename));
        return authorFrom(login ?? nicename, site.authors.get(login ?? '') || term.name, inLanguage);
      }),
    );
  }
  const creator = tidyLine(textOf(item, 'dc:creator'));
  return bylineOf(
    creator === '' ? [] : [authorFrom(creator, site.authors.get(creator) || creator, inLanguage)],
  );
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
