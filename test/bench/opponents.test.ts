/**
 * The comparison is fair: every contestant gives the same data as Offprint, for every class of requests.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ask, headerOf, usedOf } from '../../bench/speed/ask.ts';
import { checkCount, compareAnswers, faultIn } from '../../bench/speed/check.ts';
import { CONTESTANTS, nginxVersion, OURS } from '../../bench/speed/contestants.ts';
import { constantReplies, exhaust, repliesOf } from '../../bench/speed/measure.ts';
import { Processes, type ServerProcess } from '../../bench/processes.ts';
import { makeStage, type Stage } from '../../bench/speed/stage.ts';

const POSTS = 400;
const START_MS = 120_000;

vi.setConfig({ testTimeout: START_MS });

describe('opponents', () => {
  const folder = mkdtempSync(join(tmpdir(), 'offprint-opponents-'));
  const processes = new Processes();
  const opponents = CONTESTANTS.filter(
    ({ id }) => id !== 'ours' && (id !== 'nginx' || nginxVersion() !== null),
  );
  const servers = new Map<string, ServerProcess>();
  let stage: Stage;
  let ours: ServerProcess;

  beforeAll(async () => {
    stage = await makeStage(folder, POSTS);
    ours = await OURS.start({ processes, stage, replies: [], under: [] });
    await exhaust(ours.url, stage.headers.exhausted);
    const replies = constantReplies(await repliesOf(OURS, ours.url, stage));
    for (const opponent of opponents) {
      const server = await opponent.start({ processes, stage, replies, under: [] });
      if (opponent.counts) await exhaust(server.url, stage.headers.exhausted);
      servers.set(opponent.id, server);
    }
  }, START_MS);

  afterAll(async () => {
    processes.killAll();
    await Promise.all([ours, ...servers.values()].map((server) => server?.stop()));
    rmSync(folder, { recursive: true, force: true });
  });

  const originOf = (id: string) => servers.get(id)?.url ?? '';

  it('Offprint answers each class with the expected status', async () => {
    const replies = await repliesOf(OURS, ours.url, stage);
    expect([...replies].map(([{ id }, { status }]) => [id, status])).toEqual(
      stage.classes.map(({ id, status }) => [id, status]),
    );
    const totals = [...replies].flatMap(([{ id }, { body }]): [string, unknown][] => [
      [id, JSON.parse(body).data?.meta?.total],
    ]);
    const total = new Map(totals);
    expect(total.get('rare')).toBe(1);
    expect(total.get('common')).toBeGreaterThan(POSTS / 5);
    expect(total.get('tagCategory')).toBeGreaterThan(0);
    expect(total.get('commonCold')).toBeGreaterThan(POSTS / 50);
  });

  it('no cold search is repeated', () => {
    for (const { cold } of stage.classes) {
      if (!cold) continue;
      expect(cold.length).toBeGreaterThan(5000);
      expect(new Set(cold).size).toBe(cold.length);
    }
  });

  it.each(opponents)('$name gives the same data', async (opponent) => {
    const faults = await compareAnswers(
      opponent,
      originOf(opponent.id),
      ours.url,
      stage.classes,
      stage.headers,
    );
    expect(faults).toEqual([]);
  });

  it.each(opponents.filter(({ id }) => id === 'cached'))(
    '$name gives it again from its cache',
    async (opponent) => {
      const faults = await compareAnswers(
        opponent,
        originOf(opponent.id),
        ours.url,
        stage.classes,
        stage.headers,
      );
      expect(faults).toEqual([]);
    },
  );

  it.each([OURS, ...opponents])('$name counts exactly, or not at all', async (contestant) => {
    const origin = contestant === OURS ? ours.url : originOf(contestant.id);
    expect(await checkCount(contestant, origin, stage.headers)).toEqual([]);
  });

  it.each(opponents)('$name sends the same headers as Offprint', async ({ id, counts }) => {
    const target = stage.classes[0]?.target ?? '';
    const [reply, wanted] = [
      await ask(originOf(id) + target, stage.headers.reader),
      await ask(ours.url + target, stage.headers.reader),
    ];
    const names = wanted.headers.filter(
      (name, i) => i % 2 === 0 && !['keep-alive', 'link'].includes(name.toLowerCase()),
    );
    expect(names.filter((name) => headerOf(reply, name.toLowerCase()) === undefined)).toEqual([]);
    if (counts)
      expect(headerOf(reply, 'link')?.split(', ').length).toBe(headerOf(wanted, 'link')?.split(', ').length);
  });

  it('those that count keep their count after a kill', async () => {
    const [opponent] = opponents.filter(({ id }) => id === 'live');
    const server = servers.get('live');
    if (!opponent || !server) throw new Error('There is no live API.');
    const used = await usedOf(server.url, stage.headers.reader);
    process.kill(-server.pid, 'SIGKILL'); // With its children, as at a power failure.
    await server.stop();
    const again = await opponent.start({ processes, stage, replies: [], under: [] });
    servers.set('live', again);
    expect(await usedOf(again.url, stage.headers.reader)).toBe(used + 1);
  });

  it('a wrong answer is detected', async () => {
    const [newest, page20] = ['newest', 'page20'].map((id) => stage.classes.find((each) => each.id === id));
    if (!newest || !page20) throw new Error('There are more classes.');
    const reply = await ask(ours.url + newest.target, stage.headers.reader);
    const other = await ask(ours.url + page20.target, stage.headers.reader);
    expect(faultIn(newest, reply, reply)).toBeNull();
    expect(faultIn(newest, other, reply)).toBe('other data');
    expect(faultIn(newest, { ...reply, status: 500 }, reply)).toBe('status 500 in place of 200');
    expect(faultIn(newest, { ...reply, body: '' }, reply)).toBe('other data');
  });
});
