/**
 * Makes a blog for benchmarks: `npm run bench:data -- --posts 100000 [--seed 1] [--db FILE]`.
 *
 * random.ts makes numbers from a seed. languages.ts, vocabulary.ts and text.ts turn them into words and sentences,
 * body.ts into HTML. post.ts makes a post from these, and blog.ts writes the database. probes.ts lists searches
 * with known results; changes.ts edits the blog.
 */
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { SingleBar } from 'cli-progress';
import { Command, InvalidArgumentError } from 'commander';
import { DatabaseError } from '../../data/errors.ts';
import { generateBlog, NotABenchBlog } from './blog.ts';

function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!/^\d+$/u.test(text) || !Number.isSafeInteger(number) || number < least) {
      throw new InvalidArgumentError(`It must be a whole number from ${least}.`);
    }
    return number;
  };
}

function generate({ posts, seed, db }: { posts: number; seed: number; db?: string }): void {
  const path = db ?? fileURLToPath(new URL(`../data/blog-${posts}.db`, import.meta.url));
  const bar = new SingleBar({
    format: '{bar} {value}/{total} posts, {eta_formatted} left',
    clearOnComplete: true,
  });
  const onTerminal = process.stderr.isTTY;
  const start = performance.now();
  if (onTerminal) bar.start(posts, 0);
  try {
    const blog = generateBlog(path, {
      posts,
      seed,
      onProgress: (written) => onTerminal && bar.update(written),
    });
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    const megabytes = (statSync(path).size / 1e6).toFixed(1);
    console.log(
      `${path}: ${blog.posts} posts, ${blog.categories} categories, ${blog.tags} tags, ` +
        `${blog.authors} authors, ${megabytes} MB, in ${seconds} s.`,
    );
  } finally {
    bar.stop();
  }
}

try {
  new Command('bench:data')
    .description('Makes a blog to measure with, the same one for the same seed.')
    .requiredOption('--posts <number>', 'how many posts', wholeNumber(1))
    .option('--seed <number>', 'another seed gives another blog', wholeNumber(0), 1)
    .option('--db <file>', 'where to put it (default: bench/data/blog-<posts>.db)')
    .action(generate)
    .parse();
} catch (error) {
  if (!(error instanceof NotABenchBlog) && !(error instanceof DatabaseError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
