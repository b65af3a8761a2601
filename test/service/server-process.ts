import { type Environment, spawnOffprint } from './command.ts';

/** A process of `serve` or `start` that has said where it listens. */
export interface Server {
  readonly url: string;
  readonly pid: number;
  /** All that it has printed, on both streams. */
  readonly log: string;
  /** Reads nothing of what it prints from now on, as a reader of its log that has ended. */
  hangUp(): void;
  /** Its exit code, once it has ended; null after a signal. */
  end(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<number | null>;
}

const START_TIMEOUT_MS = 120_000;

/**
 * Starts `offprint ARGUMENTS` and waits until it prints its address.
 *
 * @throws Error with all that it printed, where it ends before, or says nothing for 30 seconds
 */
export async function startServer(
  args: readonly string[],
  cwd?: string,
  environment?: Environment,
  program?: string,
): Promise<Server> {
  const child = spawnOffprint(args, cwd, environment, program);
  let log = '';
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });

  const url = await new Promise<string>((resolve, reject) => {
    const fail = (why: string) => {
      clearTimeout(timeout);
      reject(new Error(`offprint ${args.join(' ')} ${why}:\n${log}`));
    };
    const timeout = setTimeout(() => {
      child.kill('SIGKILL');
      fail('did not print its address');
    }, START_TIMEOUT_MS);
    void ended.then((code) => fail(`ended with ${code}`), reject);
    const read = (text: string) => {
      log += text;
      const address = /http:\/\/[\d.]+:\d+(?=\D)/.exec(log)?.[0];
      if (address === undefined) return;
      clearTimeout(timeout);
      resolve(address);
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  });

  return {
    url,
    pid: child.pid ?? 0,
    get log() {
      return log;
    },
    hangUp() {
      child.stdout.destroy();
      child.stderr.destroy();
    },
    async end(signal) {
      child.kill(signal); // does nothing where it has ended
      return ended;
    },
  };
}
