import type { Home } from './home.ts';
import { type CommandResult, type Environment, offprint } from './command.ts';
import { serveOnNode } from './node-home.ts';
import { Cluster } from './postgres.ts';

/** Counts in PostgreSQL: the command `serve --counts`, as a process. Services that run at once share a cluster. */
export const postgresHome: Home = {
  name: 'PostgreSQL',
  async serve(blog, settings) {
    services += 1;
    cluster ??= Cluster.start();
    const shared = cluster;
    const { address } = await readyDatabase(await shared);
    const service = await serveOnNode(blog, settings, { OFFPRINT_COUNTS: address });
    const { close } = service;
    return Object.assign(service, {
      async close() {
        await close();
        services -= 1;
        if (services > 0) return;
        cluster = undefined;
        await (await shared).remove();
      },
    });
  },
};

let services = 0;
let cluster: Promise<Cluster> | undefined;

/** Runs a command, again while a busy machine keeps it from connecting within its second. */
export async function offprintWithCounts(
  args: readonly string[],
  environment: Environment = {},
): Promise<CommandResult> {
  for (;;) {
    const result = await offprint(args, undefined, environment);
    if (!/timeout|no answer/.test(result.stderr + result.stdout)) return result;
  }
}

/** The number of requests that `usage` reports. @param counts the address of the database */
export async function requestsReported(counts: string, out: string): Promise<number> {
  const { stdout } = await offprintWithCounts(['usage', '--json', '--counts', counts, '--out', out]);
  return (JSON.parse(stdout) as { requests: number }).requests;
}

/** A new database with the tables of counts. */
export async function readyDatabase(cluster: Cluster): Promise<{ database: string; address: string }> {
  const database = await cluster.createDatabase();
  const address = cluster.address(database);
  const { code, stderr } = await offprintWithCounts(['counts', 'init'], { OFFPRINT_COUNTS: address });
  if (code !== 0) throw new Error(stderr);
  return { database, address };
}
