import { languages, type Language } from './languages.ts';
import { Random } from './random.ts';
import { latinSlug, unicodeSlug } from './slug.ts';
import { capitalised } from './text.ts';
import { vocabularyOf } from './vocabulary.ts';
import { Weighted, zipfWeights } from './weighted.ts';

/** The address of the blog. A database with another address is never overwritten. */
export const SITE_URL = 'https://bench.example';

export interface NamedSlug {
  readonly slug: string;
  readonly name: string;
}

export interface Author {
  readonly username: string;
  readonly name: string;
  readonly avatar: string | null;
}

/** The number of categories, tags and authors in a blog of `posts` posts. All grow more slowly than the posts. */
export function taxonomySizes(posts: number): { categories: number; tags: number; authors: number } {
  return {
    categories: Math.min(categoryNames.length, Math.max(3, Math.round(12 * (posts / 1000) ** 0.2614))),
    tags: Math.max(8, Math.round(5 * Math.sqrt(posts))),
    authors: Math.max(2, Math.round(posts ** 0.4)),
  };
}

/** Draws the index of a category. The first has a third of all posts, the last has none. */
export function categoryWeights(count: number): Weighted {
  const others = zipfWeights(count - 2, 0, 1);
  const sum = others.reduce((a, b) => a + b, 0);
  return new Weighted([0.35, ...others.map((weight) => (0.65 * weight) / sum), 0]);
}

/**
 * Draws the index of a tag. At three tags a post, the first is on a fifth of all posts. The number of tags grows as
 * the square root of the posts; the square keeps the last tags rare at any size.
 */
export function tagWeights(count: number): Weighted {
  return new Weighted(zipfWeights(count, 14, 2));
}

/** Draws the index of an author. The last one in twenty has no posts. */
export function authorWeights(count: number): Weighted {
  return new Weighted(zipfWeights(count - Math.floor(count / 20), 0, 1));
}

const categoryNames =
  `News|Engineering|Design|Community|Releases|Guides|Новости|Case studies|Travel|Opinion|Science|技术|
  Culture|Music|Cooking|Photography|History|Books|Interviews|Open source|Security|Performance|Καθημερινά|Gardening|
  Архитектура|Economy|Accessibility|Mathematics|ثقافة|Education|Sport|Film & Theatre|Ümit ve Gelecek|Straße & Verkehr|
  Société|日記|Żywność|Research|Archive|Retired`
    .split('|')
    .map((name) => name.trim());

/** The first `count` categories. */
export function makeCategories(count: number): NamedSlug[] {
  return categoryNames.slice(0, count).map((name) => ({ slug: latinSlug(name) || unicodeSlug(name), name }));
}

/** `count` tags of one or two words in all languages; the first and most frequent is "field notes". */
export function makeTags(count: number, seed: number): NamedSlug[] {
  const random = new Random(seed, 201);
  const byShare = languageWeights();
  const names = new Set(['field notes']);
  const slugs = new Set(['field-notes']);
  const tags: NamedSlug[] = [{ slug: 'field-notes', name: 'field notes' }];
  while (tags.length < count) {
    const language = languages[byShare.draw(random)];
    if (language === undefined) throw new RangeError('languages.ts lists no language.');
    const name = tagName(language, random);
    const slug = random.chance(0.8) ? latinSlug(name) || unicodeSlug(name) : unicodeSlug(name);
    if (slug === '' || slugs.has(slug) || names.has(name.toLowerCase())) continue;
    slugs.add(slug);
    names.add(name.toLowerCase());
    tags.push({ slug, name });
  }
  return tags;
}

function tagName(language: Language, random: Random): string {
  const vocabulary = vocabularyOf(language.code);
  // The most frequent words of a language are function words, so tags do not use them.
  const word = () => vocabulary.word(40 + Math.floor(3000 * random.fraction() ** 2));
  const name = random.chance(0.3) ? word() + language.space + word() : word();
  return random.chance(0.3) ? capitalised(language, name) : name;
}

/** Draws the index of a language in `languages`, by its share. */
export function languageWeights(): Weighted {
  return new Weighted(languages.map(({ share }) => share));
}

const firstNames =
  'Ada Bruno Chloé Dilek Emil Fatma Grzegorz Hana Ивана Jürgen Κώστας Lucía 明 Noor سارة Олег'.split(' ');
const lastNames =
  'Archer Böhm Carré Demir Engel Færch García Hansen Ito Ковач Łukasik Moreau Νικολάου Öz'.split(' ');

/** `count` authors; about one in five has no avatar. */
export function makeAuthors(count: number, seed: number): Author[] {
  const random = new Random(seed, 202);
  return Array.from({ length: count }, (_, number) => {
    const name = `${random.pick(firstNames)} ${random.pick(lastNames)}`;
    const username = `${latinSlug(name) || 'author'}-${number + 1}`;
    return {
      username,
      name,
      avatar: random.chance(0.8) ? `${SITE_URL}/media/avatars/${username}.webp` : null,
    };
  });
}
