import { type ChildProcess, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';

const START_TIMEOUT_MS = 60_000;
const ADDRESS = /http:\/\/[\d.]+:\d+(?=\D)/;

/** A server that has printed its address, or answers already. */
export interface ServerProcess {
  readonly pid: number;
  readonly url: string;
  /** What it has printed so far, on both streams. */
  output(): string;
  /** Terminates it, and waits. */
  stop(): Promise<void>;
}

/**
 * All processes of the benchmark. Each has a process group of its own, so its children end with it even if the
 * benchmark crashes.
 */
export class Processes {
  readonly #running = new Set<ChildProcess>();

  constructor() {
    process.once('exit', () => this.killAll());
    for (const [signal, code] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const) {
      process.once(signal, () => process.exit(code));
    }
  }

  /**
   * Starts a server. Waits until it prints its address, or until it answers if the address is known.
   *
   * @throws Error with all its output, if it exits or is silent for a minute
   */
  async serve(command: readonly string[], knownUrl?: string): Promise<ServerProcess> {
    const child = this.#spawn(command);
    let output = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (output += text));
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
    const url = await new Promise<string>((resolve, reject) => {
      const fail = (why: string) => reject(new Error(`${command.join(' ')} ${why}:\n${output}`));
      const timeout = setTimeout(() => fail('did not say where it listens'), START_TIMEOUT_MS);
      child.once('error', reject);
      void ended.then(() => fail('ended'));
      child.stdout?.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        const address = ADDRESS.exec(output)?.[0];
        if (address !== undefined) resolve(address);
      });
      if (knownUrl !== undefined) void untilAnswered(knownUrl, START_TIMEOUT_MS).then(resolve, reject);
      void ended.finally(() => clearTimeout(timeout));
    });
    const stop = async () => {
      this.#signal(child, 'SIGTERM');
      await ended;
      this.#signal(child, 'SIGKILL'); // Children that outlived it.
    };
    return { pid: child.pid ?? 0, url, output: () => output, stop };
  }

  /** Runs a command and waits for its end. */
  run(command: readonly string[]): Promise<{ code: number | null; output: string }> {
    const child = this.#spawn(command);
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (output += text));
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, output }));
    });
  }

  killAll(): void {
    for (const child of this.#running) this.#signal(child, 'SIGKILL');
  }

  #spawn([name = '', ...args]: readonly string[]): ChildProcess {
    const env = Object.fromEntries(
      Object.entries(process.env).filter(
        ([variable]) => !/^(?:OFFPRINT_|AWS_|HOST$|PORT$|NODE_OPTIONS$)/.test(variable),
      ),
    );
    const child = spawn(name, args, {
      ...{ cwd: tmpdir(), detached: true, env: { ...env, NO_COLOR: '1' } },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#running.add(child);
    child.once('close', () => this.#running.delete(child));
    return child;
  }

  #signal(child: ChildProcess, signal: NodeJS.Signals): void {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, signal);
    } catch {
      // The group has ended already.
    }
  }
}

/** Sends requests until one is answered, 1 ms after each refused connection. */
async function untilAnswered(url: string, timeoutMs: number): Promise<string> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    try {
      const reply = await fetch(url);
      await reply.arrayBuffer();
      return new URL(url).origin;
    } catch (error) {
      if (performance.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
}
