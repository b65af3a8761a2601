/**
 * Measurements of Offprint only: starts and crashes.
 */
import { PREFIX } from '../../contract/api.ts';
import { ask, usedOf } from './ask.ts';
import { startOurs } from './contestants.ts';
import type { Processes } from './processes.ts';
import type { Kill } from './results.ts';
import type { Stage } from './stage.ts';
import { runWrk } from './wrk.ts';

const LIST = `${PREFIX}/posts`;
const CONNECTIONS = 16;

interface Trial {
  readonly processes: Processes;
  readonly stage: Stage;
  readonly times: number;
  readonly server: readonly string[];
  readonly load: readonly string[];
}

/** Milliseconds from the start of the process to its first answer, for each start. */
export async function timeStarts({ processes, stage, times, server: under }: Trial): Promise<number[]> {
  const starts: number[] = [];
  for (let time = 0; time < times; time++) {
    const started = performance.now();
    const server = await startOurs({ processes, stage, under });
    const { status } = await ask(server.url + LIST, stage.headers.reader);
    starts.push(performance.now() - started);
    if (status !== 200) throw new Error(`The first answer after a start was ${status}.`);
    await server.stop();
  }
  return starts;
}

/** Kills the server under full load, restarts it, and compares its count with the answers. */
export async function killUnderLoad(trial: Trial): Promise<Kill[]> {
  const { processes, stage, times, server: under, load } = trial;
  const { reader } = stage.headers;
  const kills: Kill[] = [];
  for (let time = 0; time < times; time++) {
    const killed = await startOurs({ processes, stage, under });
    const before = await usedOf(killed.url, reader);
    const loaded = runWrk(processes, {
      ...{ url: killed.url + LIST, headers: reader, connections: CONNECTIONS, seconds: 2, under: load },
    });
    await new Promise((resolve) => setTimeout(resolve, 600 + Math.random() * 600));
    await killed.kill();
    const { requests } = await loaded;
    const restarted = await startOurs({ processes, stage, under });
    kills.push({ answers: requests, counted: (await usedOf(restarted.url, reader)) - before - 1 });
    await restarted.stop();
  }
  return kills;
}
