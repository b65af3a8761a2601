/**
 * How long a cold isolate takes to its first answer, far from everything: `npm run bench:latency`. Reads are counted in
 * workerd; their times are given, so the table is the same on every machine.
 *
 *   skeleton.ts     the snapshot of a blog of any size, without texts
 *   far-away.ts     the Worker in workerd, cold for each request
 *   far-worker.ts   its bucket, which notes each read, and what it had to wait for
 *   table.ts        from reads to milliseconds
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFarAway } from './far-away.ts';
import { latencyTable, measureCold, SIZES } from './table.ts';

const folder = mkdtempSync(join(tmpdir(), 'offprint-latency-'));
const far = await startFarAway(join(folder, 'worker'));
try {
  const sizes = [];
  for (const posts of SIZES) sizes.push(await measureCold(far, posts, join(folder, String(posts))));
  console.log(latencyTable(sizes));
} finally {
  await far.close();
  rmSync(folder, { recursive: true, force: true });
}
