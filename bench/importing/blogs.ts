/**
 * `npm run bench:blogs [-- FOLDER] [--offprint FILE] [--save FOLDER] [--against FOLDER]`: imports real blogs and
 * summarises the results.
 *
 *   FOLDER      the sets, one folder each (default: ../shared/blogs)
 *   offprint    the command line that imports (default: this one); for another version, its cli/offprint.mjs
 *   save        keeps the databases, for a later comparison
 *   against     compares each post with the databases in this folder
 */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import type { FormatName } from '../../import/format-names.ts';
import { differencesOf, ownAddresses, readPosts } from './posts.ts';
import { describe, HEAD, lineOf, sumOf, type Outcome } from './table.ts';

/** In order of names. Each folder of Markdown is one blog, and so is each export. */
const SETS: Readonly<Record<string, FormatName>> = {
  'rust-blog': 'markdown',
  '18f-blog': 'markdown',
  'abulimov-hugo-ru': 'markdown',
  'jekyll-blog': 'markdown',
  'jekyll-test-posts-a': 'markdown',
  'eslint-blog': 'markdown',
  'tabi-zola-multilang': 'markdown',
  'loveit-hugo-zh-en': 'markdown',
  'migrate-jekyll-fixtures': 'markdown',
  'cc-labs-wxr': 'wordpress',
  '80dni-pl-wxr': 'wordpress',
  'nikola-wxr-fixtures': 'wordpress',
  'jekyll-import-wxr': 'wordpress',
  'migrate-wp-xml-fixtures': 'wordpress',
  'ghost-core-fixtures-a': 'ghost',
  'ghost-v2-v3-fixtures': 'ghost',
  'agorabinaria-ghost-es': 'ghost',
  'migrate-lexical-fixtures': 'ghost',
  'ghost-to-md-sample': 'ghost',
  'ghost-5-6-shape-facts': 'ghost',
};

/** The fields that are read from a report; versions before 0.2 report fewer. */
const tallies = v.optional(v.array(v.object({ what: v.string(), count: v.number() })), []);
const report = v.object({
  found: v.optional(v.number()),
  skipped: v.array(
    v.object({
      reason: v.string(),
      count: v.optional(v.number(), 1),
      noPost: v.optional(v.boolean(), false),
    }),
  ),
  losses: tallies,
  brokenLinks: tallies,
});

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    offprint: {
      type: 'string',
      default: fileURLToPath(new URL('../../cli/offprint.mjs', import.meta.url)),
    },
    save: { type: 'string' },
    against: { type: 'string' },
  },
});
const blogs = resolve(positionals[0] ?? fileURLToPath(new URL('../../../shared/blogs', import.meta.url)));
if (!existsSync(blogs)) {
  console.error(`There is no folder ${blogs}. Name the folder with the sets.`);
  process.exit(1);
}
const folder = values.save ?? mkdtempSync(join(tmpdir(), 'offprint-blogs-'));
mkdirSync(folder, { recursive: true });
try {
  const sets = Object.entries(SETS).map(([name, format]) => ({
    name,
    outcomes: inputsOf(join(blogs, name), format).map((input) => importOf(name, format, input)),
  }));
  console.log(HEAD);
  for (const { name, outcomes } of sets) console.log(lineOf(name, sumOf(outcomes)));
  for (const { name, outcomes } of sets) console.log(describe(name, sumOf(outcomes)));
} finally {
  if (values.save === undefined) rmSync(folder, { recursive: true, force: true });
}

function inputsOf(set: string, format: FormatName): string[] {
  if (format === 'markdown') return [set];
  const files = globSync(format === 'ghost' ? '**/*.json' : '**/*.xml', { cwd: set });
  return files.sort().map((file) => join(set, file));
}

/** A set in Markdown may be a part of a site of Hugo or Jekyll. */
function optionsOf(format: FormatName): string[] {
  return format === 'markdown' ? ['--plain'] : [];
}

function importOf(set: string, format: FormatName, input: string): Outcome {
  const name = `${set}${input === join(blogs, set) ? '' : `, ${basename(input)}`}`;
  const db = join(folder, `${name}.db`);
  for (const end of ['', '-wal', '-shm']) rmSync(db + end, { force: true });
  const started = performance.now();
  const ended = spawnSync(
    process.execPath,
    // Some blogs have no posts.
    [values.offprint, 'import', format, input, '--db', db, '--json', '--force', ...optionsOf(format)],
    { encoding: 'utf8', maxBuffer: 2 ** 30, cwd: folder },
  );
  const seconds = (performance.now() - started) / 1000;
  if (ended.status !== 0) return { kind: 'refused', name, why: ended.stderr.trim(), seconds };
  const { skipped, losses, brokenLinks, ...rest } = v.parse(report, JSON.parse(ended.stdout));
  const posts = readPosts(db);
  const found = rest.found ?? posts.length + skipped.reduce((sum, { count }) => sum + count, 0);
  const before = values.against === undefined ? null : join(values.against, `${name}.db`);
  return {
    ...{ kind: 'imported', found, posts, skipped, losses, brokenLinks, seconds },
    ownAddresses: ownAddresses(db),
    differences: before !== null && existsSync(before) ? differencesOf(readPosts(before), posts) : [],
  };
}
