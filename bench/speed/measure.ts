/**
 * Measures one blog with all contestants. Each is started, checked and warmed up. Then each lane is measured for
 * one contestant after another, round after round, so that other load on the machine affects all alike.
 */
import { ask, askAll, usedOf, type WireReply } from './ask.ts';
import { checkCount, compareAnswers, faultsOfLoad } from './check.ts';
import { type Contestant, type ContestantId, OURS } from './contestants.ts';
import type { Processes, ServerProcess } from '../processes.ts';
import { usageOf } from '../process-usage.ts';
import type { RequestClass } from './request-classes.ts';
import type { BlogResults, Lane, LaneId, Sample } from './results.ts';
import { fileOf, LIMITS, type Stage } from './stage.ts';
import { type LoadOptions, runWrk } from './wrk.ts';

export interface Plan {
  readonly rounds: number;
  /** Per measurement. */
  readonly seconds: number;
  readonly warmUpSeconds: number;
  /** What servers and wrk run under, such as `taskset -c 0`. */
  readonly server: readonly string[];
  readonly load: readonly string[];
  /** Called before each measurement. @param count how many there are, including warm-up */
  onStep(what: string, count: number): void;
  onFault(fault: string): void;
}

interface MeasuredLane extends Lane {
  readonly requestClass: RequestClass;
  readonly connections: 16 | 64;
}

/** A running contestant, and its answers. */
interface Runner {
  readonly contestant: Contestant;
  readonly server: ServerProcess;
  readonly replies: ReadonlyMap<RequestClass, WireReply>;
  /** How many of a class's targets it has already been asked. */
  readonly asked: Map<RequestClass, number>;
}

/** The latency of these classes is measured with 64 connections. */
const CROWDED = ['newest', 'article'];

/** Measures a blog. The results are those of BlogResults, without its size. */
export async function measureBlog(
  processes: Processes,
  stage: Stage,
  contestants: readonly Contestant[],
  plan: Plan,
): Promise<Pick<BlogResults, 'lanes' | 'samples' | 'memoryMb'>> {
  const lanes = lanesOf(stage.classes);
  const samples: Partial<Record<ContestantId, Partial<Record<LaneId, Sample[]>>>> = {};
  const runners = await startAll();
  const steps = lanes.flatMap((lane) =>
    runners
      .filter(({ contestant }) => contestant.answers(lane.requestClass))
      .map((runner) => ({ lane, runner })),
  );
  for (let round = 0; round <= plan.rounds; round++) {
    for (const { lane, runner } of steps) {
      const { id, name } = runner.contestant;
      const what = `round ${round} of ${plan.rounds}, ${lane.name}, ${name}`;
      plan.onStep(what, steps.length * (plan.rounds + 1));
      if (round === 0) await warmUp(runner, lane);
      else ((samples[id] ??= {})[lane.id] ??= []).push(await measure(runner, lane));
    }
  }
  const memoryMb = Object.fromEntries(
    runners.map(({ contestant, server }) => [contestant.id, usageOf(server.pid).memoryMb]),
  );
  for (const { server } of runners) await server.stop();
  return { lanes: lanes.map(({ id, name }) => ({ id, name })), samples, memoryMb };

  /** Offprint first: the others are compared with it, and a server of files has its answers. */
  async function startAll(): Promise<Runner[]> {
    const { classes, headers } = stage;
    const started: Runner[] = [];
    for (const contestant of [OURS, ...contestants.filter((each) => each !== OURS)]) {
      const ourUrl = started[0]?.server.url ?? '';
      const server = await contestant.start({ processes, stage, ourUrl, under: plan.server });
      await exhaust(server.url, headers.exhausted);
      const runner = { contestant, server, replies: await repliesOf(contestant, server.url, stage) };
      started.push({ ...runner, asked: new Map() });
      const faults = await compareAnswers(contestant, server.url, ourUrl || server.url, classes, headers);
      for (const fault of [...faults, ...(await checkCount(contestant, server.url, headers))])
        plan.onFault(fault);
    }
    return started;
  }

  /** Unmeasured load, in which every answer is compared. Of several targets each is requested, so that their files are in memory. */
  async function warmUp(runner: Runner, lane: MeasuredLane): Promise<void> {
    const { targets, isNew, asker } = lane.requestClass;
    if (targets && !isNew) await askAll(runner.server.url, new Set(targets), stage.headers[asker]);
    const reply = targets ? undefined : runner.replies.get(lane.requestClass);
    const check = reply && { status: reply.status, bodyFile: fileOf(stage, reply.body) };
    await load(runner, lane, plan.warmUpSeconds, check);
  }

  async function measure(runner: Runner, lane: MeasuredLane): Promise<Sample> {
    const before = usageOf(runner.server.pid).cpuUs;
    const { requests, us, p50, p99 } = await load(runner, lane, plan.seconds);
    const cpuUs = (usageOf(runner.server.pid).cpuUs - before) / requests;
    return { perSecond: requests / (us / 1e6), p50Us: p50, p99Us: p99, cpuUs };
  }

  async function load(runner: Runner, lane: MeasuredLane, seconds: number, check?: LoadOptions['check']) {
    const { contestant, server, replies, asked } = runner;
    const { name, requestClass, connections } = lane;
    const { target, targets, asker, status } = requestClass;
    const headers = stage.headers[asker];
    const whose = asker === 'unknown' ? {} : headers; // Such a request counts against its address.
    const first = asked.get(requestClass) ?? 0;
    const used = await usedOf(server.url, whose);
    const found = await runWrk(processes, {
      ...{ url: server.url + target, headers, connections, seconds, under: plan.load },
      ...(targets && { targets: { file: fileOf(stage, targets.join('\n')), first } }),
      ...(check && { check }),
    });
    asked.set(requestClass, first + found.requests + connections);
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    const itself = asker === 'exhausted' ? 0 : 1;
    const counted = (await usedOf(server.url, whose)) - used - itself;
    const bytes = targets ? null : (replies.get(requestClass)?.bytes ?? null);
    for (const fault of faultsOfLoad(found, { status, asker, connections, bytes, counted }))
      plan.onFault(`${contestant.name}, ${name}: ${fault}`);
    return found;
  }
}

/** Time for requests that were in flight when wrk closed its connections. */
const SETTLE_MS = 30;

function lanesOf(classes: readonly RequestClass[]): MeasuredLane[] {
  const lane = (requestClass: RequestClass, connections: 16 | 64): MeasuredLane => ({
    ...{ id: `${requestClass.id}@${connections}`, requestClass, connections },
    name: connections === 16 ? requestClass.name : `${requestClass.name}, ${connections} connections`,
  });
  const crowded = classes.filter(({ id }) => CROWDED.includes(id));
  return [...classes.map((each) => lane(each, 16)), ...crowded.map((each) => lane(each, 64))];
}

/** A contestant's answer to each class; the second account must already be exhausted. */
export async function repliesOf(
  contestant: Contestant,
  origin: string,
  { classes, headers }: Stage,
): Promise<Map<RequestClass, WireReply>> {
  const replies = new Map<RequestClass, WireReply>();
  for (const each of classes.filter((requestClass) => contestant.answers(requestClass))) {
    replies.set(each, await ask(origin + each.target, headers[each.asker]));
  }
  return replies;
}

/** Uses up the limit of the second account, so that its requests are refused from then on. */
export async function exhaust(origin: string, headers: Readonly<Record<string, string>>): Promise<void> {
  for (let i = 0; i < LIMITS.day.user; i++) await usedOf(origin, headers);
}
