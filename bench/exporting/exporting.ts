/**
 * `npm run bench:exporting [-- --posts N]`: exports a generated blog of N posts as plain files. Measures three
 * exports, with 15 and with 50 records a page: all files, one new post, no change.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isNumber, parseJson, recordOf } from '../../contract/json.ts';
import { openForWriting } from '../../data/database.ts';
import { generateBlog } from '../generate/blog.ts';
import { publishOne } from '../generate/changes.ts';

interface Report {
  readonly files: number;
  readonly written: number;
  readonly bytes: number;
  readonly removed: number;
  readonly seconds: number;
}
const isReport = recordOf<Report>({
  ...{ files: isNumber, written: isNumber, bytes: isNumber, removed: isNumber, seconds: isNumber },
});

const OFFPRINT = fileURLToPath(new URL('../../cli/offprint.mjs', import.meta.url));

const { values } = parseArgs({ options: { posts: { type: 'string', default: '10000' } } });
const folder = mkdtempSync(join(tmpdir(), 'offprint-bench-'));
const [db, out] = [join(folder, 'blog.db'), join(folder, 'out')];

try {
  generateBlog(db, { posts: Number(values.posts), seed: 1 });
  for (const [round, perPage] of ['15', '50'].entries()) {
    run('build', '--db', db, '--out', out);
    show(`${perPage} a page, all files`, perPage);
    const blog = openForWriting(db);
    publishOne(blog, round);
    blog.close();
    run('build', '--db', db, '--out', out);
    show(`${perPage} a page, one new post`, perPage);
    show(`${perPage} a page, nothing changed`, perPage);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function show(what: string, perPage: string): void {
  const text = run('export', join(folder, `www-${perPage}`), '--out', out, '--per-page', perPage);
  const { files, written, bytes, seconds } = parseJson(text, isReport, 'a report of an export');
  const size = (bytes / 1e6).toFixed(1);
  console.log(`${what.padEnd(30)} ${written} of ${files} files, ${size} MB, ${seconds.toFixed(1)} s`);
}

function run(...args: readonly string[]): string {
  return execFileSync(process.execPath, [OFFPRINT, ...args, '--json'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}
