/**
 * `npm run bench:importing [-- --mb N]`: what importing a large export of WordPress costs.
 *
 *   file       a generated export of N MB (default 1000), and one of a tenth of that
 *   measured   the first import, and a repeated one: time, and peak memory
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measure } from './peak-memory.ts';
import { writeWxr } from './wxr.ts';

const { values } = parseArgs({ options: { mb: { type: 'string', default: '1000' } } });
await measureExports(Number(values.mb));

async function measureExports(mb: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'offprint-bench-'));
  try {
    for (const megabytes of [mb / 10, mb]) {
      const file = join(folder, `${megabytes}.xml`);
      const { posts } = writeWxr(file, megabytes * 1_000_000);
      console.log(`${(statSync(file).size / 1_000_000).toFixed(0)} MB, ${posts} posts`);
      for (const run of ['first', 'again']) {
        const db = join(folder, `${megabytes}.db`);
        const { seconds, peakMb } = await measure(['import', 'wordpress', file, '--db', db, '--json']);
        console.log(`  ${run}: ${seconds.toFixed(1)} s, at most ${peakMb.toFixed(0)} MB of memory`);
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
