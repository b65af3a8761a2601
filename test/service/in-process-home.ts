import { serve } from '../../cli/serving.ts';
import type { Blog } from './blogs.ts';
import type { Home, Service, Settings } from './home.ts';
import { buildOnOneMachine } from './one-machine.ts';
import { restarting } from './restarting.ts';

/**
 * One machine, as `nodeHome`, but in the tests' process: the same build, files, counts and HTTP server, without the
 * time to start a process. It cannot be killed.
 */
export const inProcessHome: Home = { name: 'Node in process', serve: serveInProcess };

async function serveInProcess(blog: Blog, settings: Settings = {}): Promise<Service> {
  const { out, trustedProxies, service, remove } = await buildOnOneMachine(blog, settings);
  let log = '';
  const start = async () => {
    const gateway = await serve({
      out,
      host: '127.0.0.1',
      port: 0,
      trustedProxies,
      emit(event) {
        if ('error' in event) log += `${String(event.error)}\n`;
        if (event.kind === 'crowded') log += `${event.connections} connections\n`;
        if (event.kind === 'switched') log += `switched to ${event.snapshot.id}\n`;
      },
    });
    return { url: gateway.url, log: '', end: () => gateway.close() };
  };
  const parts = await restarting(start, remove);
  Object.defineProperty(parts, 'log', { get: () => log });
  return Object.assign(parts, service, {
    kill: () => Promise.reject(new Error('A home in process cannot be killed.')),
  });
}
