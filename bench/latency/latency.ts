/**
 * How long a caller waits, far from the bucket: `npm run bench:latency`. Calls of the platform are counted in workerd; their
 * durations are given numbers (trace.ts), so the tables are the same on every machine.
 *
 *   skeleton.ts         a snapshot of any size, without texts
 *   far-away.ts         a Worker in workerd
 *   far-worker.ts       its bucket, cache and Durable Objects, which record each call
 *   simulated-time.ts   the clock
 *   table.ts            the requests and the tables
 */
import { join } from 'node:path';
import { temporaryFolder } from '../folder.ts';
import { startFarAway } from './far-away.ts';
import { latencyTables, measureCold, SIZES } from './table.ts';

const folder = temporaryFolder();
const far = await startFarAway(join(folder, 'worker'));
try {
  const sizes = [];
  for (const posts of SIZES) sizes.push(await measureCold(far, posts));
  console.log(latencyTables(sizes).join('\n\n'));
} finally {
  await far.close();
}
