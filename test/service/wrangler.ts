import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../docs/documents.ts';

export const WRANGLER = join(ROOT, 'node_modules/wrangler/bin/wrangler.js');

/** No prompts, no telemetry, no log files. */
export const WRANGLER_ENVIRONMENT = {
  ...{ CI: '1', NO_COLOR: '1', WRANGLER_SEND_METRICS: 'false' },
  X_LOCAL_OBSERVABILITY: 'false',
};

/** On an idle machine it starts in three seconds. */
const START_TIMEOUT_MS = 120_000;

/** A running `wrangler dev`. */
export interface WranglerProcess {
  /** Scheme, host and port. */
  readonly url: string;
  readonly log: string;
  close(): Promise<void>;
}

/** Another process may take the free port first, and esbuild's watcher sometimes ends in a deadlock. */
const START_ATTEMPTS = 4;

/**
 * Starts `wrangler dev` on a free port.
 *
 * @param config the path of its configuration
 * @param state the folder for buckets and Durable Objects
 * @throws Error with all its output, if it exits before it is ready, or is not ready in time
 */
export async function startWrangler(config: string, state: string): Promise<WranglerProcess> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOnce(config, state);
    } catch (error) {
      if (attempt === START_ATTEMPTS) throw error;
    }
  }
}

async function startOnce(config: string, state: string): Promise<WranglerProcess> {
  const args = ['dev', '--config', config, '--persist-to', state, '--ip', '127.0.0.1', '--port', '0'];
  const child = spawn(process.execPath, [WRANGLER, ...args, '--show-interactive-dev-session=false'], {
    env: { ...process.env, ...WRANGLER_ENVIRONMENT },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // In a process group of its own, so that workerd ends with it.
  });
  let log = '';
  const ended = new Promise<void>((resolve) => void child.on('close', () => resolve()));
  const end = async () => {
    process.off('exit', kill);
    kill();
    await ended;
  };
  const kill = () => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
      process.kill(-child.pid, 'SIGKILL');
    }
  };
  process.on('exit', kill);

  const url = await new Promise<string>((resolve, reject) => {
    const fail = (why: string) => {
      clearTimeout(timeout);
      void end().then(() => reject(new Error(`wrangler dev ${why}:\n${log}`)));
    };
    const timeout = setTimeout(() => fail('did not get ready'), START_TIMEOUT_MS);
    void ended.then(() => fail('ended'));
    const read = (text: string) => {
      log += text;
      const address = /Ready on (http:\/\/[\d.]+:\d+)/.exec(log)?.[1];
      if (address === undefined) return;
      clearTimeout(timeout);
      resolve(address);
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', read);
  });
  return {
    url,
    get log() {
      return log;
    },
    close: end,
  };
}
