/** What is measured of ours alone: starts, crashes, and more than one process. */
import { PREFIX } from '../../contract/api.ts';
import { ask, usedOf } from './ask.ts';
import { faultsOfLoad } from './check.ts';
import { startOurs } from './contestants.ts';
import type { Processes } from './processes.ts';
import type { Kill, WorkersComparison } from './results.ts';
import type { Stage } from './stage.ts';
import { runWrk } from './wrk.ts';

const LIST = `${PREFIX}/posts`;
const CONNECTIONS = 16;
const MANY_CONNECTIONS = 64;

interface Trial {
  readonly processes: Processes;
  readonly stage: Stage;
  readonly times: number;
  readonly server: readonly string[];
  readonly load: readonly string[];
}

/** Milliseconds from the start of the process to its first answer, each time. */
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

/** Kills the server in the middle of full load, starts it again, and holds its count against the answers. */
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

/**
 * Answers a second to the newest list of one process and of two, in turn, nobody bound to a core: with few
 * connections, where processes wait for each other, and with as many as keep two cores busy.
 */
export async function compareWorkers(
  trial: Trial,
  seconds: number,
  onFault: (fault: string) => void,
): Promise<WorkersComparison[]> {
  return [
    await compareWorkersAt(CONNECTIONS, trial, seconds, onFault),
    await compareWorkersAt(MANY_CONNECTIONS, trial, seconds, onFault),
  ];
}

async function compareWorkersAt(
  connections: number,
  { processes, stage, times }: Trial,
  seconds: number,
  onFault: (fault: string) => void,
): Promise<WorkersComparison> {
  const { reader } = stage.headers;
  const measured = { connections, one: [] as number[], two: [] as number[] };
  for (let time = 0; time < times; time++) {
    for (const [name, workers] of [
      ['one', 1],
      ['two', 2],
    ] as const) {
      const server = await startOurs({ processes, stage, under: [] }, workers);
      const options = { url: server.url + LIST, headers: reader, connections, under: [] };
      await runWrk(processes, { ...options, seconds: 1 });
      const { bytes } = await ask(server.url + LIST, reader);
      const before = await usedOf(server.url, reader);
      const load = await runWrk(processes, { ...options, seconds });
      const counted = (await usedOf(server.url, reader)) - before - 1;
      const expected = { status: 200, asker: 'reader', connections, bytes, counted } as const;
      for (const fault of faultsOfLoad(load, expected)) onFault(`${workers} workers: ${fault}`);
      measured[name].push(load.requests / (load.us / 1e6));
      await server.stop();
    }
  }
  return measured;
}
