import type { Blog } from './blogs.ts';
import type { Environment } from './command.ts';
import type { Home, Service, Settings } from './home.ts';
import { buildOnOneMachine } from './one-machine.ts';
import { restarting } from './restarting.ts';
import { startServer } from './server-process.ts';

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
  return Object.assign(await restarting(serve, remove), service);
}
