import { type Environment, following, type RunningCommand, spawnOffprint } from './command.ts';

/** A process of `serve` or `start` that has printed its address. */
export interface Server {
  readonly url: string;
  readonly pid: number;
  /** All its output, on both streams. */
  readonly log: string;
  /** Stops reading its output, like a log reader that has ended. */
  hangUp(): void;
  readonly end: RunningCommand['end'];
}

const ADDRESS = /http:\/\/[\d.]+:\d+(?=\D)/;

/** The admin address of a service with `--log json`. */
export function adminOf({ log }: Server): string {
  return /"admin":"(http:[^"]+)"/.exec(log)?.[1] ?? '';
}

/**
 * Starts `offprint ARGUMENTS` and waits until it prints its address.
 *
 * @throws Error with all its output, if it exits first
 */
export async function startServer(
  args: readonly string[],
  cwd?: string,
  environment?: Environment,
  program?: string,
): Promise<Server> {
  const running = following(spawnOffprint(args, cwd, environment, program));
  const { child, end } = running;
  await running.printed(ADDRESS);
  return {
    url: ADDRESS.exec(running.output)?.[0] ?? '',
    pid: child.pid ?? 0,
    get log() {
      return running.output;
    },
    hangUp() {
      child.stdout.destroy();
      child.stderr.destroy();
    },
    end,
  };
}
