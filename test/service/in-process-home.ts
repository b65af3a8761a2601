import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServedGateway, serve } from '../../gateway/node/serve.ts';
import type { Blog } from './blogs.ts';
import type { Home, Service, Settings } from './home.ts';
import { answerOf } from './in-process.ts';
import { createKey, revokeKey, rotateKey } from './key-commands.ts';

/**
 * One machine, as `nodeHome`, in the process of the tests: the same build, files, counts and HTTP server, and no
 * start-up to pay for. It cannot be killed as a process can.
 */
export const inProcessHome: Home = { name: 'Node in process', serve: serveInProcess };

async function serveInProcess(blog: Blog, settings: Settings = {}): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), 'offprint-service-'));
  const [db, out, config] = [join(folder, 'blog.db'), join(folder, 'out'), join(folder, 'offprint.json')];
  const withProxy: Settings = { trusted_proxies: 1, ...settings };
  copyFileSync(blog.db, db);
  writeFileSync(config, JSON.stringify(withProxy));
  const files = ['--db', db, '--out', out, '--config', config];
  await answerOf(['build', ...files]);

  let log = '';
  const fault = (error: unknown) => void (log += `${String(error)}\n`);
  const start = () =>
    serve({
      ...{ out, host: '127.0.0.1', port: 0, trustedProxies: withProxy.trusted_proxies ?? 1 },
      reporter: {
        failed: fault,
        notCounted: fault,
        unexpected: fault,
        crowded: (connections) => fault(`${connections} connections`),
        switched: ({ id }) => fault(`switched to ${id}`),
        notSwitched: fault,
        usageNotKept: fault,
      },
    });
  let gateway: ServedGateway = await start();

  return {
    get url() {
      return gateway.url;
    },
    get log() {
      return log;
    },
    folder,
    hearsEverything: true,
    from: (address) => ({ 'x-forwarded-for': address }),
    createKey: (wish) => createKey(files, wish),
    revokeKey: (prefix) => revokeKey(files, prefix),
    rotateKey: (prefix) => rotateKey(files, prefix),
    stop: () => gateway.close(),
    kill: () => Promise.reject(new Error('A home in process cannot be killed.')),
    async restart() {
      gateway = await start();
    },
    async close() {
      await gateway.close();
      rmSync(folder, { recursive: true });
    },
  };
}
