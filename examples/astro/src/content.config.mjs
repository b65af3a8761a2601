/** The blog as collections: https://docs.astro.build/en/guides/content-collections/ */
import { defineCollection } from 'astro:content';
import { readBlog } from '../blog.js';

// Read once, for all collections.
const blog = readBlog({
  url: process.env.OFFPRINT_URL || 'http://127.0.0.1:8787',
  key: process.env.OFFPRINT_KEY,
  folder: '.cache/blog',
});
const idsOf = (articles) => articles.map(({ path }) => path);

/** One entry: name and address of the blog, and the ids of its articles, newest first. */
const site = defineCollection({
  loader: async () => {
    const { site, articles } = await blog;
    return [{ id: 'site', ...site, articles: idsOf(articles) }];
  },
});

const articles = defineCollection({
  loader: async () => (await blog).articles.map((article) => ({ id: article.path, ...article })),
});

/** Former paths of articles, and their addresses now. */
const moves = defineCollection({
  loader: async () => (await blog).moves.map((move) => ({ id: move.path, ...move })),
});

/** Categories, tags, authors and years, with the ids of their articles. */
const groups = defineCollection({
  loader: async () =>
    (await blog).groups.map((group) => ({
      ...group,
      id: `${group.kind}/${group.path}`,
      articles: idsOf(group.articles),
    })),
});

export const collections = { site, articles, moves, groups };
