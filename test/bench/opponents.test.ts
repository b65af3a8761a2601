/**
 * The comparison is fair: every contestant gives the same data as Offprint, for every class of requests.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PREFIX } from '../../contract/api.ts';
import { ask, headerOf, usedOf } from '../../bench/speed/ask.ts';
import { checkCount, compareAnswers, faultIn } from '../../bench/speed/check.ts';
import { installedNginx } from '../../bench/opponents/nginx.ts';
import { CONTESTANTS, OURS } from '../../bench/speed/contestants.ts';
import { exhaust, repliesOf } from '../../bench/speed/measure.ts';
import { lacks } from '../lacks.ts';
import { Processes, type ServerProcess } from '../../bench/processes.ts';
import { readingFrom } from '../../data/database.ts';
import { makeStage, type Stage } from '../../bench/speed/stage.ts';

const POSTS = 400;
const START_MS = 120_000;

vi.setConfig({ testTimeout: START_MS });

describe('opponents', () => {
  const folder = mkdtempSync(join(tmpdir(), 'offprint-opponents-'));
  const processes = new Processes();
  const lacksNginx = lacks('nginx with Lua', installedNginx() !== null);
  const opponents = CONTESTANTS.filter(({ id }) => id !== 'ours' && !(id === 'nginx' && lacksNginx));
  const servers = new Map<string, ServerProcess>();
  let stage: Stage;
  let ours: ServerProcess;

  beforeAll(async () => {
    stage = await makeStage(folder, POSTS);
    ours = await OURS.start({ processes, stage, ourUrl: '', under: [] });
    await exhaust(ours.url, stage.headers.exhausted);
    for (const opponent of opponents) {
      const server = await opponent.start({ processes, stage, ourUrl: ours.url, under: [] });
      await exhaust(server.url, stage.headers.exhausted);
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
    expect(total.get('newest')).toBeGreaterThan(POSTS / 2);
    expect(total.get('tagCategory')).toBeGreaterThan(0);
    expect(total.get('commonCold')).toBeGreaterThan(POSTS / 50);
  });

  it('no search and no mixed list is repeated, and all articles are asked for', () => {
    for (const { targets = [], isNew } of stage.classes) {
      if (!isNew) continue;
      expect(targets.length).toBeGreaterThan(5000);
      expect(new Set(targets).size).toBe(targets.length);
    }
    const articles = stage.classes.find(({ id }) => id === 'articles')?.targets;
    const published = readingFrom(stage.db, (db) =>
      db.prepare("SELECT count(*) FROM posts WHERE status = 'published'").pluck().get(),
    );
    expect(new Set(articles).size).toBe(published);
  });

  it('mixed lists have every combination of filters and every order, and none is empty', async () => {
    const mixed = stage.classes.find(({ id }) => id === 'mixed')?.targets ?? [];
    const kinds = mixed.map((target) => {
      const query = new URLSearchParams(target.split('?')[1]);
      const filters = ['category', 'tag', 'author'].filter((name) => query.has(name));
      return [...filters, query.get('sort')].join(' ');
    });
    expect(new Set(kinds).size).toBe(8 * 3);
    for (const target of mixed.slice(0, 50)) {
      const { body } = await ask(ours.url + target, stage.headers.reader);
      expect(JSON.parse(body).data.items.length).toBeGreaterThan(0);
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

  it.each(opponents.filter(({ id }) => id === 'tuned'))(
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

  it.each([OURS, ...opponents])('$name counts exactly', async (contestant) => {
    const origin = contestant === OURS ? ours.url : originOf(contestant.id);
    expect(await checkCount(contestant, origin, stage.headers)).toEqual([]);
  });

  it.each(opponents)('$name sends the same headers as Offprint', async ({ id }) => {
    for (const asker of ['reader', 'exhausted', 'unknown'] as const) {
      const [reply, wanted] = [
        await ask(`${originOf(id)}${PREFIX}/posts`, stage.headers[asker]),
        await ask(`${ours.url}${PREFIX}/posts`, stage.headers[asker]),
      ];
      expect(reply.status).toBe(wanted.status);
      const names = wanted.headers
        .filter((_, i) => i % 2 === 0)
        .map((name) => name.toLowerCase())
        .filter((name) => !['keep-alive', 'link'].includes(name));
      expect(names.filter((name) => headerOf(reply, name) === undefined)).toEqual([]);
      const constant = names.filter((name) => /^(?:access-control|cache|content-type|vary|x-c)/.test(name));
      expect(constant.map((name) => headerOf(reply, name))).toEqual(
        constant.map((name) => headerOf(wanted, name)),
      );
      const links = [reply, wanted].map((each) => headerOf(each, 'link')?.split(', ').length);
      if (id !== 'nginx') expect(links[0]).toBe(links[1]);
    }
  });

  it.each(opponents.filter(({ id }) => id !== 'nginx'))(
    '$name keeps its count after a kill',
    async (opponent) => {
      const server = servers.get(opponent.id);
      if (!server) throw new Error('It did not start.');
      const used = await usedOf(server.url, stage.headers.reader);
      process.kill(-server.pid, 'SIGKILL'); // With its children, as at a power failure.
      await server.stop();
      const again = await opponent.start({ processes, stage, ourUrl: ours.url, under: [] });
      servers.set(opponent.id, again);
      expect(await usedOf(again.url, stage.headers.reader)).toBe(used + 1);
    },
  );

  it('a wrong answer is detected', async () => {
    const [newest, other] = ['newest', 'popular'].map((id) => stage.classes.find((each) => each.id === id));
    if (!newest || !other) throw new Error('There are more classes.');
    const reply = await ask(ours.url + newest.target, stage.headers.reader);
    const wrong = await ask(ours.url + other.target, stage.headers.reader);
    expect(faultIn(newest, reply, reply)).toBeNull();
    expect(faultIn(newest, wrong, reply)).toBe('other data');
    expect(faultIn(newest, { ...reply, status: 500 }, reply)).toBe('status 500 in place of 200');
    expect(faultIn(newest, { ...reply, body: '' }, reply)).toBe('other data');
  });
});
