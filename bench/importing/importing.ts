/**
 * `npm run bench:importing [-- --mb N]`: what importing a large export of WordPress costs.
 *
 *   file       a generated export of N MB (default 1000), and one of a tenth of that
 *   measured   the first import, and a repeated one: time, and peak memory
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../folder.ts';
import { measure } from '../offprint.ts';
import { optionsOf } from '../options.ts';
import { writeWxr } from './wxr.ts';

const { mb } = optionsOf('npm run bench:importing', { mb: [1000, 20] });
const folder = temporaryFolder();
for (const megabytes of [mb / 10, mb]) {
  const file = join(folder, `${megabytes}.xml`);
  const { posts } = writeWxr(file, megabytes * 1_000_000);
  const size = `${(statSync(file).size / 1_000_000).toFixed(0)} MB, ${posts} posts`;
  for (const run of ['first import', 'repeated']) {
    const db = join(folder, `${megabytes}.db`);
    const { seconds, peakMb } = await measure(['import', 'wordpress', file, '--db', db, '--json']);
    console.log(`${size}, ${run}: ${seconds.toFixed(1)} s, at most ${peakMb.toFixed(0)} MB of memory`);
  }
}
