import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Blog } from './blogs.ts';
import { answerOf } from './in-process.ts';
import type { Home, Service, Settings } from './home.ts';
import { createKey, revokeKey, rotateKey } from './key-commands.ts';
import { startServer, type Server } from './server-process.ts';

/** One machine: the commands `build` and `serve`, each a process of its own. */
export const nodeHome: Home = { name: 'Node', serve: serveOnNode };

async function serveOnNode(blog: Blog, settings: Settings = {}): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), 'offprint-service-'));
  const db = join(folder, 'blog.db');
  const out = join(folder, 'out');
  const config = join(folder, 'offprint.json');
  // Addresses come in `X-Forwarded-For`, as from a proxy, so that one machine can be many callers.
  const withProxy: Settings = { trusted_proxies: 1, ...settings };
  copyFileSync(blog.db, db);
  writeFileSync(config, JSON.stringify(withProxy));
  const files = ['--db', db, '--out', out, '--config', config];
  await answerOf(['build', ...files]);

  const serve = () => startServer(['serve', '--out', out, '--config', config, '--port', '0']);
  let server: Server = await serve();
  let earlierLog = '';

  return {
    get url() {
      return server.url;
    },
    get log() {
      return earlierLog + server.log;
    },
    folder,
    hearsEverything: true,
    from: (address) => ({ 'x-forwarded-for': address }),
    createKey: (wish) => createKey(files, wish),
    revokeKey: (prefix) => revokeKey(files, prefix),
    rotateKey: (prefix) => rotateKey(files, prefix),
    stop: async () => {
      await server.end('SIGTERM');
    },
    kill: async () => {
      await server.end('SIGKILL');
    },
    async restart() {
      earlierLog += server.log;
      server = await serve();
    },
    async close() {
      await server.end('SIGKILL');
      rmSync(folder, { recursive: true });
    },
  };
}
