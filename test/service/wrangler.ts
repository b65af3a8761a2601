import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../docs/documents.ts';
import { following } from './command.ts';

export const WRANGLER = join(ROOT, 'node_modules/wrangler/bin/wrangler.js');

/** No prompts, no telemetry, no log files. */
export const WRANGLER_ENVIRONMENT = {
  CI: '1',
  NO_COLOR: '1',
  WRANGLER_SEND_METRICS: 'false',
  X_LOCAL_OBSERVABILITY: 'false',
};

/** On an idle machine it starts in three seconds. */
const START_TIMEOUT_MS = 120_000;
const READY = /Ready on (http:\/\/[\d.]+:\d+)/;

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
    detached: true, // In a process group of its own, so that workerd ends with it.
  });
  child.stdin.end();
  const running = following(child);
  const kill = () => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
      process.kill(-child.pid, 'SIGKILL');
    }
  };
  const close = async () => {
    process.off('exit', kill);
    kill();
    await running.ended;
  };
  process.on('exit', kill);
  const timeout = setTimeout(kill, START_TIMEOUT_MS);
  try {
    await running.printed(READY);
  } catch (error) {
    await close();
    throw error;
  } finally {
    clearTimeout(timeout);
  }
  return {
    url: READY.exec(running.output)?.[1] ?? '',
    get log() {
      return running.output;
    },
    close,
  };
}
