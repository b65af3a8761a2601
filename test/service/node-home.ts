import type { Blog } from './blogs.ts';
import type { Environment } from './command.ts';
import type { Home, Service, Settings } from './home.ts';
import { buildOnOneMachine } from './one-machine.ts';
import { startServer, type Server } from './server-process.ts';

/** One machine: the commands `build` and `serve`, with `serve` as a process. */
export const nodeHome: Home = { name: 'Node', serve: (blog, settings) => serveOnNode(blog, settings) };

/** @param environment of its process */
export async function serveOnNode(
  blog: Blog,
  settings: Settings = {},
  environment?: Environment,
): Promise<Service> {
  const { out, config, service, remove } = await buildOnOneMachine(blog, settings);
  const serve = () =>
    startServer(['serve', '--out', out, '--config', config, '--port', '0'], undefined, environment);
  let server: Server = await serve();
  let earlierLog = '';

  return {
    ...service,
    get url() {
      return server.url;
    },
    get log() {
      return earlierLog + server.log;
    },
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
      remove();
    },
  };
}
