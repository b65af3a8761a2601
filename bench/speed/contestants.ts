import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../test/service/free-port.ts';
import { OFFPRINT } from '../offprint.ts';
import { type ConstantReply, prepareNginx } from '../opponents/nginx.ts';
import type { Processes, ServerProcess } from '../processes.ts';
import type { RequestClass } from './request-classes.ts';
import { LIMITS, type Stage } from './stage.ts';

export type ContestantId = 'ours' | 'bare' | 'live' | 'cached' | 'nginx';

/** A server that is measured. */
export interface Contestant {
  readonly id: ContestantId;
  readonly name: string;
  /** Whether it checks keys and counts requests, as the interface requires. */
  readonly counts: boolean;
  answers(requestClass: RequestClass): boolean;
  /** Starts it on a blog. Servers of constants use `replies`, which Offprint has given. */
  start(options: StartOptions): Promise<ServerProcess>;
}

export interface StartOptions {
  readonly processes: Processes;
  readonly stage: Stage;
  readonly replies: readonly ConstantReply[];
  /** A command to run it under, such as `taskset -c 0`. */
  readonly under: readonly string[];
}

const BARE = fileURLToPath(new URL('../opponents/bare.ts', import.meta.url));
const LIVE = fileURLToPath(new URL('../opponents/live/live.ts', import.meta.url));

/** Offprint, as a user starts it. */
export const OURS: Contestant = {
  id: 'ours',
  name: 'Offprint',
  counts: true,
  answers: () => true,
  start: (options) => startOurs(options),
};

export function startOurs({
  processes,
  stage,
  under,
}: Pick<StartOptions, 'processes' | 'stage' | 'under'>): Promise<ServerProcess> {
  const args = ['serve', '--out', stage.out, '--config', stage.config, '--port', '0'];
  return processes.serve([...under, process.execPath, '--max-semi-space-size=4', OFFPRINT, ...args]);
}

export const CONTESTANTS: readonly Contestant[] = [
  OURS,
  {
    id: 'bare',
    name: 'bare `node:http`',
    counts: false,
    answers: ({ cold }) => cold === undefined,
    start({ processes, stage, replies, under }) {
      const file = join(stage.folder, 'replies.json');
      writeFileSync(file, JSON.stringify(replies));
      return processes.serve([...under, process.execPath, BARE, file]);
    },
  },
  liveContestant('live', 'Fastify + SQLite, live', []),
  liveContestant('cached', 'Fastify + SQLite, response cache', ['--cache']),
  {
    id: 'nginx',
    name: 'nginx, static files',
    counts: false,
    answers: ({ cold, status }) => cold === undefined && status === 200,
    async start({ processes, stage, replies, under }) {
      const port = await freePort();
      const fixed = replies.filter(({ status }) => status === 200);
      const args = prepareNginx(join(stage.folder, 'nginx'), port, fixed);
      return processes.serve([...under, 'nginx', ...args], `http://127.0.0.1:${port}/`);
    },
  },
];

/** @returns its version, such as `1.26.3`; null: not installed */
export function nginxVersion(): string | null {
  try {
    const output = execFileSync('sh', ['-c', 'nginx -v 2>&1'], { encoding: 'utf8' });
    return /nginx\/([\d.]+)/.exec(output)?.[1] ?? null;
  } catch {
    return null;
  }
}

function liveContestant(id: 'live' | 'cached', name: string, flags: readonly string[]): Contestant {
  return {
    ...{ id, name, counts: true },
    answers: () => true,
    start({ processes, stage, under }) {
      const usage = join(stage.folder, `${id}-usage.db`);
      const args = [stage.liveDatabase, usage, JSON.stringify(LIMITS), ...flags];
      return processes.serve([...under, process.execPath, LIVE, ...args]);
    },
  };
}
