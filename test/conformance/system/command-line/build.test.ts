import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { openOracle } from '../../../oracle/oracle.ts';
import { answerOf } from '../../../service/in-process.ts';
import { writeEmptyBlog, writeOddBlog } from '../../../service/odd-blog.ts';
import { usePlace } from '../../command-line/place.ts';

const place = usePlace();

const row = z.strictObject({
  table: z.string(),
  row: z.union([z.string(), z.int()]),
  reason: z.string().min(1),
});
/** The answer of `build --json`. */
const report = z.strictObject({
  snapshot: z.string().min(1),
  posts: z.int().min(0),
  objects: z.strictObject({ total: z.int(), written: z.int(), bytes_written: z.int() }),
  skipped: z.array(row),
  cut: z.array(row),
  removed: z.array(
    z.strictObject({ kind: z.string(), count: z.int(), posts: z.int(), hosts: z.array(z.string()) }),
  ),
  notes: z.array(z.string()),
  seconds: z.number().min(0),
});

test.each([
  ['odd', writeOddBlog],
  ['empty', writeEmptyBlog],
])('build of the %s blog reports the number of posts, files and bytes', async (name, write) => {
  const [db, out] = [place.path(`${name}.db`), place.path(name)];
  write(db);
  const { posts, skipped, objects } = report.parse(await answerOf(['build', '--db', db, '--out', out]));
  const oracle = openOracle(db);
  expect({ posts, skipped }).toEqual({ posts: oracle.posts().meta.total, skipped: [] });
  oracle.close();
  const files = readdirSync(join(out, 'objects'), { recursive: true, encoding: 'utf8' })
    .map((path) => statSync(join(out, 'objects', path)))
    .filter((file) => file.isFile());
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  expect(objects).toEqual({ total: files.length, written: files.length, bytes_written: bytes });
});
