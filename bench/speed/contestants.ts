import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PREFIX } from '../../contract/api.ts';
import { freePort } from '../../test/service/free-port.ts';
import { OFFPRINT } from '../offprint.ts';
import { installedNginx, prepareNginx, writeNginxFile } from '../opponents/nginx.ts';
import type { Processes, ServerProcess } from '../processes.ts';
import { ask, askAll } from './ask.ts';
import type { RequestClass } from './request-classes.ts';
import { ACCOUNTS, LIMITS, type Stage } from './stage.ts';

export type ContestantId = 'ours' | 'tuned' | 'live' | 'nginx';

/** A server that is measured. All check keys and count requests. */
export interface Contestant {
  readonly id: ContestantId;
  readonly name: string;
  answers(requestClass: RequestClass): boolean;
  /** Starts it on a blog. */
  start(options: StartOptions): Promise<ServerProcess>;
}

export interface StartOptions {
  readonly processes: Processes;
  readonly stage: Stage;
  /** Where Offprint serves the same blog: a server of files gets them there. */
  readonly ourUrl: string;
  /** A command to run it under, such as `taskset -c 0`. */
  readonly under: readonly string[];
}

/** Offprint, as a user starts it. */
export const OURS: Contestant = {
  id: 'ours',
  name: 'Offprint',
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
  overSqlite('tuned', '`node:http`, tuned', 'tuned.ts'),
  overSqlite('live', 'Fastify + SQLite', 'live/live.ts'),
  {
    id: 'nginx',
    name: 'nginx with Lua',
    answers: ({ id, isNew = false }) => !isNew && id !== 'me',
    async start({ processes, stage, ourUrl, under }) {
      const nginx = installedNginx();
      if (!nginx) throw new Error('nginx with Lua is not installed.');
      const [folder, port, { headers }] = [join(stage.folder, 'nginx'), await freePort(), stage];
      const example = await ask(`${ourUrl}${PREFIX}/posts`, headers.reader);
      const keys = (['reader', 'exhausted'] as const).map((account) => {
        const authorization = headers[account]['Authorization'] ?? '';
        return { authorization, account, plan: ACCOUNTS[account] };
      });
      const args = prepareNginx(folder, port, nginx, example.headers, keys, LIMITS);
      const classes = stage.classes.filter((each) => this.answers(each));
      const targets = new Set(classes.flatMap(({ targets: many, target }) => many ?? [target]));
      await askAll(ourUrl, [...targets, `${PREFIX}/me`], headers.reader, (target, { body }) =>
        writeNginxFile(folder, target, body),
      );
      return processes.serve([...under, 'nginx', ...args], `http://127.0.0.1:${port}/`);
    },
  },
];

function overSqlite(id: 'tuned' | 'live', name: string, file: string): Contestant {
  const path = fileURLToPath(new URL(`../opponents/${file}`, import.meta.url));
  return {
    ...{ id, name },
    answers: () => true,
    start({ processes, stage, under }) {
      const usage = join(stage.folder, `${id}-usage.db`);
      const args = [stage.liveDatabase, usage, JSON.stringify(LIMITS)];
      return processes.serve([...under, process.execPath, path, ...args]);
    },
  };
}
