import type { Service } from './home.ts';

/** What serves: a process, or a runtime. */
interface Running {
  readonly url: string;
  /** All its output. */
  readonly log: string;
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<unknown>;
}

/** The part of a service that can be stopped and started again. Its output is kept. */
export interface Restarting<T extends Running> extends Pick<
  Service,
  'url' | 'log' | 'stop' | 'kill' | 'restart' | 'close'
> {
  /** The one that runs, or ran last. */
  running(): T;
}

/** @param closed is called after its end */
export async function restarting<T extends Running>(
  start: () => Promise<T>,
  closed: () => void | Promise<void>,
): Promise<Restarting<T>> {
  let running = await start();
  let earlierLog = '';
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => void (await running.end(signal));
  return {
    running: () => running,
    get url() {
      return running.url;
    },
    get log() {
      return earlierLog + running.log;
    },
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    async restart() {
      earlierLog += running.log;
      running = await start();
    },
    async close() {
      await end('SIGKILL');
      await closed();
    },
  };
}
