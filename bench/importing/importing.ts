/**
 * `npm run bench:importing [-- --mb N]`: what importing a large export of WordPress costs.
 *
 *   file       a generated export of N MB (default 1000), and one of a tenth of that
 *   measured   the first import, and a repeated one: time, and peak memory
 *
 * `npm run bench:importing -- --site FOLDER`, repeatable: how the Markdown reader reads a site of Hugo or Jekyll,
 * compared with the site's own engine, which must be installed. The engine runs the site's code.
 *
 *   table      posts that the engine publishes; posts that the reader lacks, has in addition, and gives identically
 *   signs      texts that are equal including quotes and dashes
 *   unnamed    texts that differ although the reader reports no loss
 *   below      each post that differs, with what the reader's report says about it
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { markdownTable } from '../../release/markdown-table.ts';
import { measure } from './peak-memory.ts';
import { type Comparison, compareSite } from './site.ts';
import { writeWxr } from './wxr.ts';

const { values } = parseArgs({
  options: { mb: { type: 'string', default: '1000' }, site: { type: 'string', multiple: true } },
});
if (values.site !== undefined) await compareSites(values.site);
else await measureExports(Number(values.mb));

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

async function compareSites(folders: readonly string[]): Promise<void> {
  const head = 'site,engine,files,published,left out,extra,URL,date,text,signs,losses,unnamed'.split(',');
  const rows: string[][] = [];
  const details: string[] = [];
  for (const folder of folders) {
    const comparison = await compareSite(folder, { now: new Date() });
    rows.push([basename(folder), ...columnsOf(comparison)]);
    details.push(`\n${basename(folder)}`, ...detailsOf(comparison));
  }
  console.log(markdownTable(head, rows));
  console.log(details.join('\n'));
}

function columnsOf({ engine, found, published, equal, extra, losses, differences }: Comparison): string[] {
  const missing = differences.filter(({ field }) => field === 'missing').length;
  const unnamed = differences.filter((one) => one.field === 'text' && one.losses.length === 0).length;
  const count = [...losses.values()].reduce((sum, number) => sum + number, 0);
  return [
    engine,
    ...[
      found,
      published,
      missing,
      extra.length,
      equal.URL,
      equal.date,
      equal.text,
      equal.signs,
      count,
      unnamed,
    ].map(String),
  ];
}

function detailsOf({ losses, differences, extra }: Comparison): string[] {
  return [
    ...[...losses].map(([what, count]) => `  loss: ${what}, ${count} times`),
    ...extra.map((source) => `  extra: ${source}`),
    ...differences.map(
      ({ source, field, engine, reader, losses: named }) =>
        `  ${field}: ${source}${named.length > 0 ? ` (${[...new Set(named)].join(', ')})` : ''}\n` +
        `    engine: ${engine}\n    reader: ${reader}`,
    ),
  ];
}
