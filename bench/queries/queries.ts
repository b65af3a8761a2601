/**
 * `npm run bench:queries [-- --posts 1000000]`: what lists and searches cost on blogs of 1,000, 10,000 and 100,000
 * posts, or with another size for the largest.
 *
 *   core     objects that a cold request reads; the time of a warm one, without cached answers
 *   sql      the same searches as SQL on the database: LIKE, and an FTS5 trigram table
 *   memory   of `serve` after it has answered all of these
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openForReading } from '../../data/database.ts';
import { ONCE } from '../generate/planted.ts';
import { generateBlog } from '../generate/blog.ts';
import { median } from '../median.ts';
import type { CoreMeasurement } from './core.ts';
import { memoryOfServe } from './memory.ts';
import { PER_PAGE, type RequestClass, requestClasses } from './requests.ts';
import { type Check, isNumber, isText, listOf, parseJson, recordOf } from '../../contract/json.ts';
import type { SqlMeasurement } from './sql.ts';

const { values } = parseArgs({ options: { posts: { type: 'string', default: '100000' } } });
const SIZES = [1000, 10_000, Number(values.posts)];
const OFFPRINT = fileURLToPath(new URL('../../cli/offprint.mjs', import.meta.url));
/** High enough that no measurement reaches them. */
const LIMITS = { day: { address: 1e9, user: 1e9, admin: 1e9 }, minute: 1e9 };

const folder = mkdtempSync(join(tmpdir(), 'offprint-bench-'));
const config = join(folder, 'offprint.json');
writeFileSync(config, JSON.stringify({ limits: LIMITS }));
const isCoreMeasurement = recordOf<CoreMeasurement>({
  classes: listOf(
    recordOf<CoreMeasurement['classes'][number]>({ name: isText, objects: isNumber, ms: isNumber }),
  ),
  searches: listOf(
    recordOf<CoreMeasurement['searches'][number]>({ q: isText, total: isNumber, ms: isNumber }),
  ),
});
const isSqlMeasurement = recordOf<SqlMeasurement>({
  q: isText,
  total: isNumber,
  likeMs: isNumber,
  ftsMs: isNumber,
});
const failures: string[] = [];

try {
  const blogs = SIZES.map((posts) => {
    const [db, out] = [join(folder, `blog-${posts}.db`), join(folder, `out-${posts}`)];
    generateBlog(db, { posts, seed: 1 });
    execFileSync(process.execPath, [OFFPRINT, 'build', '--db', db, '--out', out, '--config', config]);
    return { posts, db, out, classes: classesOf(db), core: run(isCoreMeasurement, 'core.ts', db, out) };
  });
  const [small, , large] = blogs;
  if (!small || !large) throw new Error('There are three sizes.');

  console.log('\nTime, milliseconds of a warm request of each class, its slowest; objects of a cold one\n');
  console.log(row('', ...SIZES.map((size) => size.toLocaleString('en')), 'growth', 'objects'));
  for (const [i, { name, growth, objects, ms }] of large.classes.entries()) {
    const times = blogs.map(({ core }) => core.classes[i]?.ms ?? Number.NaN);
    const grown = (times[2] ?? Number.NaN) / (times[0] ?? Number.NaN);
    const read = large.core.classes[i]?.objects ?? Number.NaN;
    const most = objects + (name.startsWith('q:') ? 0 : PER_PAGE);
    const holds = grown <= growth && read <= most && (times[2] ?? 0) <= (ms ?? Infinity);
    const wanted = `at most ${[growth < Infinity ? `${growth} times` : '', ms ? `${ms} ms` : '', `${most} objects`].filter(Boolean).join(', ')}`;
    console.log(
      row(name, ...times.map((time) => time.toFixed(3)), grown.toFixed(2), String(read)),
      verdict(holds, wanted),
    );
  }

  console.log('\nSearch index\n');
  for (const { posts, db, out } of blogs) {
    const { bytes, largest } = filesOf(join(out, 'objects', 'suffixes'));
    const share = bytes / textBytes(db);
    const wanted =
      posts === large.posts ? verdict(share <= 1 && largest <= 4e5, 'at most the text, 400 kB') : '';
    console.log(
      row(
        `${posts.toLocaleString('en')} posts`,
        `${(bytes / 1e6).toFixed(2)} MB`,
        share.toFixed(3),
        `${(largest / 1e3).toFixed(0)} kB`,
      ),
      wanted,
    );
  }

  const sql = run(listOf(isSqlMeasurement), 'sql.ts', large.db);
  console.log(
    `\nSearches at ${large.posts.toLocaleString('en')} posts, milliseconds for the first page and the total\n`,
  );
  console.log(row('', 'found', 'ours', 'LIKE', 'FTS5'));
  for (const [i, { q, total, ms }] of large.core.searches.entries()) {
    const other = sql[i];
    const differs =
      other?.total === total ? '' : `FTS5 finds ${other?.total}: it folds case by rules of its own`;
    console.log(
      row(q, String(total), ms.toFixed(3), other?.likeMs.toFixed(1) ?? '', other?.ftsMs.toFixed(2) ?? ''),
      differs,
    );
  }
  const rare = large.core.searches.findIndex(({ q }) => q === ONCE);
  const gain = (sql[rare]?.likeMs ?? 0) / (large.core.searches[rare]?.ms ?? Number.NaN);
  console.log(row('LIKE ÷ ours, a rare word', gain.toFixed(0)), verdict(gain >= 20, 'at least 20'));
  const [ours, fts] = [
    median(large.core.searches.map(({ ms }) => ms)),
    median(sql.map(({ ftsMs }) => ftsMs)),
  ];
  console.log(row('median of all: ours ÷ FTS5', (ours / fts).toFixed(3)), verdict(ours <= fts, 'at most 1'));

  const memory = await memoryOfServe(
    large.out,
    large.classes.flatMap(({ queries }) => queries),
  );
  console.log(
    row('\nserve, most memory', `${memory.toFixed(0)} MB`),
    verdict(memory <= 160, 'at most 160 MB'),
  );
  if (failures.length > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function classesOf(path: string): RequestClass[] {
  const db = openForReading(path);
  try {
    return requestClasses(db);
  } finally {
    db.close();
  }
}

/** Size in bytes of the text that a search covers. */
function textBytes(path: string): number {
  const db = openForReading(path);
  const sql = `SELECT sum(octet_length(title) + coalesce(octet_length(description), 0) + coalesce(
    (SELECT sum(octet_length(name)) FROM post_tags JOIN tags ON tags.id = tag_id WHERE post_id = posts.id), 0))
    FROM posts WHERE status = 'published'`;
  const bytes = db.prepare<[], number>(sql).pluck().get() ?? 0;
  db.close();
  return bytes;
}

function filesOf(path: string): { bytes: number; largest: number } {
  const sizes = readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath, entry.name)).size);
  return { bytes: sizes.reduce((sum, size) => sum + size, 0), largest: Math.max(...sizes) };
}

/** Runs a script and returns its output. */
function run<T>(isResult: Check<T>, script: string, ...args: string[]): T {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const output = execFileSync(process.execPath, [path, ...args], { encoding: 'utf8' });
  return parseJson(output, isResult, `the result of ${script}`);
}

function verdict(holds: boolean, wanted: string): string {
  if (!holds) failures.push(wanted);
  return `  ${holds ? 'holds' : 'FAILS'}  ${wanted}`;
}

function row(name: string, ...cells: string[]): string {
  return name.padEnd(34) + cells.map((cell) => cell.padStart(11)).join('');
}
