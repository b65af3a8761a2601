import { body as believableBody } from './body.ts';
import { drawOffset, timeOf, timestamp } from './calendar.ts';
import { languages, type Language } from './languages.ts';
import { drawPlantedWords, rareWords } from './planted.ts';
import { Random } from './random.ts';
import { latinSlug, unicodeSlug } from './slug.ts';
import { authorWeights, categoryWeights, languageWeights, SITE_URL, tagWeights } from './taxonomy.ts';
import { description, title } from './text.ts';
import { Weighted } from './weighted.ts';

/** A post as a row of the database, except that its slug may not be unique. */
export interface GeneratedPost {
  readonly slug: string;
  readonly title: string;
  readonly body: string;
  readonly description: string | null;
  readonly cover: string | null;
  readonly metaTitle: string | null;
  readonly metaDescription: string | null;
  readonly url: string | null;
  readonly status: 'draft' | 'published' | 'archived';
  readonly publishedAt: string | null;
  readonly views: number;
  /** Row ids; the first category, author and tag have id 1. */
  readonly categoryId: number | null;
  readonly authorId: number | null;
  /** In display order. */
  readonly tagIds: readonly number[];
}

/** The size of the blog. */
export interface BlogSize {
  readonly posts: number;
  readonly categories: number;
  readonly tags: number;
  readonly authors: number;
}

const byShare = languageWeights();
/** Posts per thousand with 0 to 8 tags: 3 on average. */
const tagCounts = new Weighted([50, 140, 220, 240, 160, 100, 50, 30, 10]);
const MAX_VIEWS = 400_000;

/**
 * Makes the posts of one blog. Each depends only on the seed, its number and the size, not on the posts before it.
 *
 * @param body the body of a post, by its number; default: generated text
 */
export function postMaker(
  size: BlogSize,
  seed: number,
  body?: (number: number) => string,
): (number: number) => GeneratedPost {
  const categories = categoryWeights(size.categories);
  const authors = authorWeights(size.authors);
  const tags = tagWeights(size.tags);

  return (number) => {
    const random = new Random(seed, number);
    const language = languages[byShare.draw(random)] ?? languages[0];
    if (language === undefined) throw new RangeError('languages.ts lists no language.');
    const rare = rareWords(number, size.posts);
    const texts = drawTexts(language, random, [
      ...rare,
      ...drawPlantedWords(number, language.script, random),
    ]);
    const status = rare.length > 0 ? 'published' : drawStatus(random);
    const slug = drawSlug(language, random, texts.title) || `post-${number + 1}`;
    const time = timeOf(number, size.posts, seed);
    const year = new Date(time * 1000).getUTCFullYear();
    return {
      ...texts,
      slug,
      status,
      // Most drafts have no date yet.
      publishedAt: status === 'draft' && random.chance(0.7) ? null : timestamp(time, drawOffset(random)),
      cover: random.chance(0.1) ? null : drawCover(random, year, number),
      url: random.chance(0.01) ? `${SITE_URL}/${year}/${encodeURIComponent(slug)}.html` : null,
      views: drawViews(random),
      categoryId: random.chance(0.03) ? null : categories.draw(random) + 1,
      authorId: random.chance(0.01) ? null : authors.draw(random) + 1,
      tagIds: drawTagIds(tags, size.tags, random),
      body: body?.(number) ?? believableBody(language, random),
    };
  };
}

function drawTexts(language: Language, random: Random, planted: readonly string[]) {
  const described = !random.chance(0.05);
  const searchable = described
    ? { title: title(language, random), description: description(language, random, planted) }
    : { title: title(language, random, planted), description: null };
  // Some editors store accents as combining characters (NFD). Search must find these too.
  const decomposed = random.chance(0.01);
  const shown = (text: string) => (decomposed ? text.normalize('NFD') : text);
  return {
    title: shown(searchable.title),
    description: searchable.description === null ? null : shown(searchable.description),
    metaTitle: random.chance(0.5) ? title(language, random) : null,
    metaDescription: random.chance(0.5) ? description(language, random) : null,
  };
}

function drawStatus(random: Random): GeneratedPost['status'] {
  const place = random.fraction();
  return place < 0.01 ? 'draft' : place < 0.013 ? 'archived' : 'published';
}

/** Of the posts in other scripts than Latin, one in six keeps its script in the slug: 5 % of all posts. */
function drawSlug(language: Language, random: Random, text: string): string {
  return language.script !== 'latin' && random.chance(0.18) ? unicodeSlug(text) : latinSlug(text);
}

function drawCover(random: Random, year: number, number: number): string {
  const path = `/media/${year}/cover-${number + 1}.${random.pick(['jpg', 'webp', 'png'])}`;
  return random.chance(0.3) ? path : SITE_URL + path;
}

/** Log-normal: half of all posts have fewer than 60 views, a few have hundreds of thousands. */
function drawViews(random: Random): number {
  if (random.chance(0.08)) return 0;
  return Math.min(MAX_VIEWS, Math.floor(Math.exp(4.1 + 2 * random.normal())));
}

function drawTagIds(tags: Weighted, count: number, random: Random): number[] {
  const wanted = Math.min(tagCounts.draw(random), count);
  const ids = new Set<number>();
  while (ids.size < wanted) ids.add(tags.draw(random) + 1);
  return [...ids];
}
