/**
 * `npm run bench:publishing [-- --posts N]`: what publishing costs, as figures and ratios from one run.
 *
 *   database   a generated blog of N posts, and one of 1,000
 *   measured   a full build, one new post, one edited body, all view counts changed, no change
 *   compared   the time of only sanitising the same bodies; a gateway's latency during a build
 *   exported   plain files: all of them, one new post, one edited title, one and all view counts, no change
 */
import { join } from 'node:path';
import { isBuildReport } from '../../build/build-report.ts';
import { sanitise } from '../../build/html/sanitise.ts';
import { isNumber, parseJson, recordOf } from '../../contract/json.ts';
import { type BlogDatabase, openForReading } from '../../data/database.ts';
import { temporaryFolder } from '../folder.ts';
import { bumpAllViews, editOneBody, publishOne } from '../generate/changes.ts';
import { COUNTS } from '../cost/usage.ts';
import { type BlogFiles, buildBlog, editBlog, makeBlog, measure } from '../offprint.ts';
import { optionsOf } from '../options.ts';
import { median } from '../statistics.ts';
import { atMost, printVerdicts } from '../verdicts.ts';
import { measureLatency } from './latency.ts';

const ROUNDS = 5;

const { posts, served } = optionsOf('npm run bench:publishing', {
  posts: [100_000, 2000],
  /** Of the blog whose gateway is measured, and which is exported. */
  served: [10_000, 1000],
});
const folder = temporaryFolder();

const large = await measureBlog(posts);
const small = await measureBlog(1000);
const blog = makeBlog(join(folder, 'served'), served);
await buildBlog(blog);
const { idle, building } = await measureLatency(blog);
console.log(`${posts} posts: full build ${large.full.seconds.toFixed(1)} s, ${large.full.objects} objects`);
console.log(`  sanitising alone ${large.sanitising.toFixed(1)} s of processor time`);
console.log(`  one new post ${large.publish.seconds.toFixed(3)} s`);
console.log(`gateway's p99: idle ${idle.toFixed(2)} ms, while building ${building.toFixed(2)} ms`);
await exportBlog('all files');
const exported = await exportAfter('one new post', (db) => publishOne(db, 1));
await exportAfter('one edited title', (db) => db.exec("UPDATE posts SET title = title || '!' WHERE id = 1"));
await exportAfter('one view', (db) => db.exec('UPDATE posts SET views = views + 1 WHERE id = 1'));
await exportAfter('every view count changed', (db) => bumpAllViews(db, 1));
await exportBlog('nothing changed');
printVerdicts([
  atMost('one new post: objects', large.publish.objects, 40),
  atMost('one new post: bytes written', large.publish.bytes, 1_000_000),
  atMost('one new post: share of a full build’s time', large.publish.seconds / large.full.seconds, 1 / 50),
  atMost('one edited body: objects', large.edit.objects, 6),
  // Eight columns, six pages of the most viewed posts, two files with examples, and the directory.
  atMost('every view count changed: objects', large.views.objects, 18),
  atMost('nothing changed: objects', large.nothing.objects, 0),
  atMost('nothing changed: seconds', large.nothing.seconds, 0.3),
  atMost(`one new post: objects at ${posts} ÷ at 1,000`, large.publish.objects / small.publish.objects, 1.5),
  atMost('full build: peak memory, MB', large.full.peakMb, 600),
  // On two cores. About half of a build's work is sanitising; the rest is mostly pages, sets and the search index.
  atMost('full build ÷ sanitising alone, on one core', large.full.seconds / large.sanitising, 2.2),
  atMost('export, one new post: files', exported, COUNTS.exportedFiles),
  atMost(`gateway p99 during a build of ${served} ÷ idle`, building / idle, 3),
]);

interface Cost {
  readonly objects: number;
  readonly bytes: number;
  readonly seconds: number;
}

async function measureBlog(size: number) {
  const files = makeBlog(join(folder, String(size)), size);
  return {
    sanitising: secondsOfSanitising(files),
    full: await build(files),
    publish: await worst(files, publishOne),
    edit: await worst(files, editOneBody),
    views: await worst(files, bumpAllViews),
    nothing: await worst(files, () => undefined),
  };
}

/** Repeats a change and a build. Returns the maximum of objects and bytes, and the median time. */
async function worst(files: BlogFiles, edit: (db: BlogDatabase, n: number) => unknown): Promise<Cost> {
  const costs: Cost[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    editBlog(files, (db) => edit(db, round));
    costs.push(await build(files));
  }
  return {
    objects: Math.max(...costs.map(({ objects }) => objects)),
    bytes: Math.max(...costs.map(({ bytes }) => bytes)),
    seconds: median(costs.map(({ seconds }) => seconds)),
  };
}

async function build(files: BlogFiles): Promise<Cost & { readonly peakMb: number }> {
  const { stdout, peakMb } = await buildBlog(files);
  const { objects, seconds } = parseJson(stdout, isBuildReport, 'the report of a build');
  return { objects: objects.written, bytes: objects.bytes_written, seconds, peakMb };
}

/** The CPU time of sanitising all public bodies, including the garbage collector's threads. */
function secondsOfSanitising({ db: path }: BlogFiles): number {
  const db = openForReading(path);
  const bodies = db.prepare<[], string>("SELECT body FROM posts WHERE status = 'published'").pluck();
  let seconds = 0;
  // One at a time: those of a million posts do not fit into memory.
  for (const body of bodies.iterate()) {
    const before = process.cpuUsage();
    sanitise(body, 'https://bench.example/posts/a');
    const { user, system } = process.cpuUsage(before);
    seconds += (user + system) / 1e6;
  }
  db.close();
  return seconds;
}

/** Edits, builds and exports. Returns the number of files that were written. */
async function exportAfter(what: string, edit: (db: BlogDatabase) => unknown): Promise<number> {
  editBlog(blog, edit);
  await buildBlog(blog);
  return exportBlog(what);
}

async function exportBlog(what: string): Promise<number> {
  const { stdout } = await measure(['export', join(folder, 'www'), '--out', blog.out, '--json']);
  const isReport = recordOf({ files: isNumber, written: isNumber, bytes: isNumber, seconds: isNumber });
  const { files, written, bytes, seconds } = parseJson(stdout, isReport, 'the report of an export');
  const size = `${(bytes / 1e6).toFixed(1)} MB, ${seconds.toFixed(1)} s`;
  console.log(`export of ${served} posts, ${what}: ${written} of ${files} files, ${size}`);
  return written;
}
