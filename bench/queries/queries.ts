/**
 * `npm run bench:queries [-- --posts 1000000]`: what lists and searches cost on blogs of 1,000, 10,000 and 100,000
 * posts, or with another size for the largest.
 *
 *   core     what a cold request reads; the time of a warm one, without cached answers
 *   index    its size, of the text that it covers
 *   memory   of `serve` after it has answered all of these
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PREFIX } from '../../contract/api.ts';
import { listOf, parseJson } from '../../contract/json.ts';
import { openForReading } from '../../data/database.ts';
import { temporaryFolder } from '../folder.ts';
import { markdownTable } from '../markdown-table.ts';
import { buildBlog, makeBlog, OFFPRINT } from '../offprint.ts';
import { optionsOf } from '../options.ts';
import { peakOf } from '../process-usage.ts';
import { Processes } from '../processes.ts';
import { atMost, printVerdicts, shown, type Verdict } from '../verdicts.ts';
import { isClassCost } from './core.ts';
import { PER_PAGE, type RequestClass, requestClasses } from './requests.ts';

const { posts } = optionsOf('npm run bench:queries', { posts: [100_000, 3000] });
const CORE = fileURLToPath(new URL('core.ts', import.meta.url));
const folder = temporaryFolder();
const verdicts: Verdict[] = [];

const small = await measureBlog(1000);
const middle = posts > 10_000 ? await measureBlog(10_000) : null;
const large = await measureBlog(posts);

const sizes = [small, ...(middle ? [middle] : []), large];
console.log(
  markdownTable(
    ['', ...sizes.map((blog) => `${shown(blog.posts)} posts, ms`), 'objects', 'rounds', 'kB', 'cold, ms'],
    large.classes.map(({ name }, i) => {
      const { objects = NaN, rounds = NaN, kb = NaN, coldMs = NaN } = large.costs[i] ?? {};
      const times = sizes.map(({ costs }) => shown(costs[i]?.ms ?? NaN));
      return [name, ...times, ...[objects, rounds, Math.round(kb), coldMs].map(shown)];
    }),
  ),
);
for (const [i, { name, growth, objects, ms }] of large.classes.entries()) {
  const [cost, before] = [large.costs[i], small.costs[i]];
  if (!cost || !before) continue;
  if (growth !== undefined) verdicts.push(atMost(`${name}: ms ÷ at 1,000`, cost.ms / before.ms, growth));
  if (ms !== undefined) verdicts.push(atMost(`${name}: ms`, cost.ms, ms));
  const pages = name.startsWith('q:') ? 0 : PER_PAGE;
  if (objects !== undefined) verdicts.push(atMost(`${name}: objects`, cost.objects, objects + pages));
}
const { bytes, largest } = filesOf(join(large.out, 'objects', 'suffixes'));
verdicts.push(
  atMost('search index, of the text it covers', bytes / textBytes(large.db), 1),
  atMost('its largest object, kB', largest / 1000, 400),
  atMost('serve after all of these: most memory, MB', await memoryOfServe(), 160),
);
printVerdicts(verdicts);

async function measureBlog(size: number) {
  const blog = makeBlog(join(folder, String(size)), size);
  await buildBlog(blog);
  const db = openForReading(blog.db);
  const classes: readonly RequestClass[] = requestClasses(db);
  db.close();
  const printed = execFileSync(process.execPath, [CORE, blog.db, blog.out], { encoding: 'utf8' });
  return { ...blog, posts: size, classes, costs: parseJson(printed, listOf(isClassCost), 'costs') };
}

/** The peak memory of `serve`, in MB, after it has answered every query several times. */
async function memoryOfServe(): Promise<number> {
  const serve = [OFFPRINT, 'serve', '--out', large.out, '--config', large.config, '--port', '0'];
  const server = await new Processes().serve([process.execPath, '--max-semi-space-size=4', ...serve]);
  const queries = large.classes.flatMap((requestClass) => requestClass.queries);
  for (let round = 0; round < 3; round++) {
    for (const query of queries) {
      const reply = await fetch(`${server.url}${PREFIX}/posts?${query}`);
      if (!reply.ok) throw new Error(`${query}: ${reply.status} ${await reply.text()}`);
      await reply.arrayBuffer();
    }
  }
  const peak = peakOf(server.pid);
  await server.stop();
  return peak;
}

/** Size in bytes of the text that a search covers. */
function textBytes(path: string): number {
  const db = openForReading(path);
  const sql = `SELECT sum(octet_length(title) + coalesce(octet_length(description), 0) + coalesce(
    (SELECT sum(octet_length(name)) FROM post_tags JOIN tags ON tags.id = tag_id WHERE post_id = posts.id), 0))
    FROM posts WHERE status = 'published'`;
  const size = db.prepare<[], number>(sql).pluck().get() ?? 0;
  db.close();
  return size;
}

function filesOf(path: string): { bytes: number; largest: number } {
  const files = readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath, entry.name)).size);
  return { bytes: files.reduce((sum, size) => sum + size, 0), largest: Math.max(...files) };
}
