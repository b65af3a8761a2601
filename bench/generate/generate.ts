/**
 * Makes a blog for benchmarks: `npm run bench:data -- --posts 100000 [--seed 1]`, as `bench/data/blog-100000.db`.
 *
 * random.ts makes numbers from a seed. languages.ts, vocabulary.ts and text.ts turn them into words and sentences,
 * body.ts into HTML. post.ts makes a post from these, and blog.ts writes the database. changes.ts edits the blog.
 */
import { mkdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { optionsOf } from '../options.ts';
import { generateBlog } from './blog.ts';

const { posts, seed } = optionsOf('npm run bench:data', { posts: [10_000, 1000], seed: [1, 1] });
const folder = fileURLToPath(new URL('../data/', import.meta.url));
mkdirSync(folder, { recursive: true });
const path = `${folder}blog-${posts}.db`;
const { categories, tags, authors } = generateBlog(path, { posts, seed });
const megabytes = (statSync(path).size / 1e6).toFixed(1);
console.log(
  `${path}: ${posts} posts, ${categories} categories, ${tags} tags, ${authors} authors, ${megabytes} MB`,
);
