/**
 * How long a cold isolate takes for its first answer, far from the bucket: `npm run bench:latency`. Reads are
 * counted in workerd; their duration is a given number, so the table is the same on every machine.
 *
 *   skeleton.ts     a snapshot of any size, without texts
 *   far-away.ts     a cold Worker in workerd for each request
 *   far-worker.ts   its bucket, which records each read and what it waited for
 *   table.ts        converts reads to milliseconds
 */
import { join } from 'node:path';
import { temporaryFolder } from '../folder.ts';
import { startFarAway } from './far-away.ts';
import { latencyTable, measureCold, SIZES } from './table.ts';

const folder = temporaryFolder();
const far = await startFarAway(join(folder, 'worker'));
try {
  const sizes = [];
  for (const posts of SIZES) sizes.push(await measureCold(far, posts, join(folder, String(posts))));
  console.log(latencyTable(sizes));
} finally {
  await far.close();
}
