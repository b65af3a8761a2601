/**
 * Kills builds at random moments while a client reads, and prints the result: `node bench/crash/crash.ts [--times
 * 200] [--posts 500] [--seed N]`. The steps are in test/build/killed-builds.ts, which `npm test` runs a few times.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { killBuilds } from '../../test/build/killed-builds.ts';

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '200' },
    posts: { type: 'string', default: '500' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
  },
});
const [times, posts, seed] = [Number(values.times), Number(values.posts), Number(values.seed)];

const folder = mkdtempSync(join(tmpdir(), 'offprint-crash-'));
try {
  const started = performance.now();
  const figures = await killBuilds({
    ...{ folder, posts, times, seed },
    onRound: ({ rounds, faults }) => {
      if (process.stderr.isTTY) process.stderr.write(`\r${rounds + 1} of ${times}, ${faults.length} faults `);
    },
  });
  const { rounds, killed, killedWhileWriting, lists, articles, buildMs, faults } = figures;
  console.log(
    [
      `${rounds} builds of ${posts} posts (seed ${seed}), each to be killed within the ${buildMs} ms it takes:`,
      `  ${killed} were killed before they had published, ${killedWhileWriting} of these while writing`,
      `  ${lists} lists and ${articles} articles read meanwhile`,
      `  ${faults.length} faults, in ${Math.round((performance.now() - started) / 1000)} s`,
      ...faults.map((fault) => `    ${fault}`),
    ].join('\n'),
  );
  if (faults.length > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
