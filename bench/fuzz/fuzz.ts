/**
 * Sends random requests to a service and prints what it answered: `node bench/fuzz/fuzz.ts [--requests 1000000]
 * [--seed N] [--callers 48]`. The requests come from test/safety/fuzz/; `npm test` sends some thousands of them.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { FUZZ_LIMITS, makeCallers } from '../../test/safety/fuzz/callers.ts';
import { fuzz } from '../../test/safety/fuzz/fuzz.ts';
import { makeServedBlog } from '../../test/safety/served-blog.ts';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '1000000' },
    callers: { type: 'string', default: '48' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
  },
});
const [requests, count, seed] = [Number(values.requests), Number(values.callers), Number(values.seed)];

const blog = await makeServedBlog(2000, FUZZ_LIMITS);
const server = await blog.serve();
try {
  const port = Number(new URL(server.url).port);
  const started = performance.now();
  const memory: number[] = [];
  let told = 0;
  const figures = await fuzz({ port, callers: makeCallers(blog, count), requests, seed }, (sent) => {
    if (sent < told + requests / 20) return;
    told = sent;
    memory.push(megabytes('VmRSS'));
    if (process.stderr.isTTY) process.stderr.write(`\r${sent} of ${requests} `);
  });
  const { statuses, faults } = figures;
  const byStatus = [...statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${status}: ${times}`);
  const failures = server.log.split('\n').filter((line) => /failed|not counted/.test(line));
  console.log(
    [
      `${figures.requests} requests (seed ${seed}) on ${figures.connections} connections, ${count} at once, ${figures.resets} broken off:`,
      `  ${figures.replies} answers (${byStatus.join(', ')})`,
      `  memory of the service, MB: ${memory.join(' ')}; at most ${megabytes('VmHWM')}`,
      `  ${faults.length} faults, ${failures.length} in the log, in ${Math.round((performance.now() - started) / 1000)} s`,
      ...[...faults, ...failures].map((fault) => `    ${fault}`),
    ].join('\n'),
  );
  if (faults.length + failures.length > 0) process.exitCode = 1;
} finally {
  await server.end('SIGKILL');
  blog.remove();
}

/** The resident memory of the service, from Linux's /proc. */
function megabytes(name: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  return Math.round(Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(status)?.[1]) / 1024);
}
