import { type Environment, spawnOffprint } from './command.ts';

/** A process of `serve` or `start` that has printed its address. */
export interface Server {
  readonly url: string;
  readonly pid: number;
  /** All its output, on both streams. */
  readonly log: string;
  /** Stops reading its output, like a log reader that has ended. */
  hangUp(): void;
  /** Its exit code; null after a signal. */
  end(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<number | null>;
}

const START_TIMEOUT_MS = 120_000;

/**
 * Starts `offprint ARGUMENTS` and waits until it prints its address.
 *
 * @throws Error with all its output, if it exits first, or prints no address for 30 seconds
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
      child.kill(signal); // No effect if it has ended.
      return ended;
    },
  };
}
