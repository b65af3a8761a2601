/**
 * The admin address, checked with Prometheus itself: the metrics, the rules, and the dashboard's queries.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readProblems } from '../../../cli/problems.ts';
import { directoryOf } from '../../build/output.ts';
import { editing } from '../../build/publishing.ts';
import { folderUntil } from '../../build/temporary-folder.ts';
import { addFiles } from '../../import/folder.ts';
import { offprint } from '../../service/command.ts';
import { adminOf, type Server, startServer } from '../../service/server-process.ts';
import { makeServedBlog, type ServedBlog } from '../../safety/served-blog.ts';
import { freePort } from '../../service/free-port.ts';
import { lacks } from '../../lacks.ts';

const RULES = fileURLToPath(new URL('../../../deploy/monitoring/alerts.yml', import.meta.url));
const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

/** Debian's package `prometheus`; without it, outside of CI, these tests are skipped. */
const HAS_PROMETHEUS = spawnSync('promtool', ['--version']).status === 0 || process.env['CI'] !== undefined;

const TOKEN = 'of-the-operator';
const folder = folderUntil(afterAll);
let blog: ServedBlog;
let server: Server;
let admin: string;

beforeAll(async () => {
  blog = await makeServedBlog(30);
  // Checks are so rare that builds only happen on request.
  const args = ['start', '--db', blog.db, '--out', blog.out, '--config', join(blog.folder, 'offprint.json')];
  server = await startServer(
    [...args, '--port', '0', '--admin', '0', '--cron', '0 0 1 1 *', '--log', 'json'],
    undefined,
    { OFFPRINT_ADMIN_TOKEN: TOKEN },
  );
  admin = adminOf(server);
});

afterAll(() => server.end('SIGTERM'));

const ask = async (path: string) => (await fetch(server.url + path)).arrayBuffer();

describe.skipIf(lacks('Prometheus', HAS_PROMETHEUS))('Prometheus', () => {
  test('reads the metrics, and each query of the dashboard has a result', async () => {
    const port = await freePort();
    const config = join(folder, 'prometheus.yml');
    const target = new URL(admin).host;
    writeFileSync(
      config,
      `global: { scrape_interval: 1s, evaluation_interval: 1s }
rule_files: ["${RULES}"]
scrape_configs: [{ job_name: offprint, static_configs: [{ targets: ["${target}"] }] }]`,
    );
    const data = `--storage.tsdb.path=${join(folder, 'data')}`;
    const address = `127.0.0.1:${port}`;
    const prometheus = spawn(
      'prometheus',
      [`--config.file=${config}`, data, `--web.listen-address=${address}`, '--log.level=error'],
      { stdio: 'ignore' },
    );
    try {
      for (let i = 0; i < 3; i++) await ask('/api/public/v1/posts');
      await ask('/api/public/v1/posts/there-is-none');
      await ask('/api/public/v1/nothing');
      const query = (expression: string) => queryPrometheus(address, expression);
      await expect
        .poll(() => query('up{job="offprint"}').catch(() => []))
        .toEqual([{ labels: {}, value: 1 }]);
      const counts = 'sum by (endpoint, status) (offprint_requests_total)';
      await expect
        .poll(async () => sorted(await query(counts)))
        .toEqual([
          { labels: { endpoint: 'other', status: '404' }, value: 1 },
          { labels: { endpoint: 'post', status: '404' }, value: 1 },
          { labels: { endpoint: 'posts', status: '200' }, value: 3 },
        ]);
      const { posts } = directoryOf(blog.out);
      expect(await query('offprint_snapshot_posts')).toEqual([{ labels: {}, value: posts }]);

      const { panels } = dashboardSchema.parse(JSON.parse(read('deploy/monitoring/dashboard.json')));
      const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
      expect(expressions.length).toBeGreaterThan(10);
      await rebuild(TOKEN); // So that a task has run.
      await expect.poll(() => query('offprint_task_last_success_timestamp_seconds')).not.toEqual([]);
      touch(blog.db);
      await rebuild(TOKEN);
      for (const expression of expressions) {
        const ofAll = expression.replaceAll('$instance', '.*');
        await expect.poll(() => query(ofAll), { message: ofAll }).not.toEqual([]);
      }
    } finally {
      const ended = once(prometheus, 'exit');
      prometheus.kill('SIGKILL');
      await ended;
    }
  });

  test('accepts the rules, and each fires at the right time', () => {
    const path = join(folder, 'alerts.test.yml');
    writeFileSync(path, read('test/monitoring/alerts.test.yml').replace('[RULES]', `[${RULES}]`));
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', path], { encoding: 'utf8' });
    expect(status, stdout + stderr).toBe(0);
  });
});

describe('the admin address', () => {
  test('describes each metric, and gives those that docs/operators/monitoring.md names', async () => {
    await ask('/api/public/v1/posts');
    const text = await (await fetch(`${admin}/metrics`)).text();
    expect(text).toMatch(/# EOF\n$/);
    const given = Array.from(text.matchAll(/^# TYPE (offprint_\w+) (\w+)$/gm), ([, name, type]) =>
      type === 'counter' ? `${name}_total` : name,
    );
    expect(given.length).toBeGreaterThan(10);
    expect(text.match(/^# HELP offprint_\w+ .{10,}$/gm)).toHaveLength(given.length);
    const documented = Array.from(
      read('docs/operators/monitoring.md').matchAll(/`(offprint_\w+)`/g),
      ([, name]) => name,
    );
    expect(documented.length).toBeGreaterThan(3);
    expect(given).toEqual(expect.arrayContaining(documented));
  });

  test('rebuilds only with the token', async () => {
    const before = await snapshot();
    touch(blog.db);
    for (const token of [null, '', 'another', `${TOKEN}x`]) expect(await rebuild(token)).toBe(401);
    expect((await fetch(`${admin}/rebuild`)).status).toBe(405);
    expect(await snapshot()).toBe(before);
    expect(await rebuild(TOKEN)).toBe(202);
    await expect.poll(snapshot).not.toBe(before);
  });

  test('answers nothing else, and shows nothing about callers', async () => {
    expect((await fetch(`${admin}/api/public/v1/posts`)).status).toBe(404);
    await ask('/api/public/v1/posts?q=secret-word');
    const text = await (await fetch(`${admin}/metrics`)).text();
    expect(text).not.toMatch(/secret-word|127\.0\.0\.1|address:/);
  });

  test('that is in use or invalid ends the start with one line', async () => {
    const files = ['--db', blog.db, '--out', join(folder, 'other'), '--port', '0'];
    const taken = await offprint(['start', ...files, '--admin', new URL(admin).port]);
    expect(taken.code).toBe(1);
    expect(taken.stderr).toMatch(/Port \d+ on 127\.0\.0\.1 is in use\. Choose another with --admin\./);
    const none = await offprint(['start', ...files, '--admin', 'somewhere']);
    expect(none.code).toBe(2);
    expect(none.stderr).toMatch(/It must be a port, or a host and a port/);
  });
});

test('a followed blog that cannot be read is a fault until it can be read, even if it is unchanged then', async () => {
  const place = join(folder, 'followed');
  const posts = join(place, 'posts');
  addFiles(posts, { 'one.md': '---\ntitle: One\ndate: 2026-01-02\n---\nText\n' });
  const [config, out] = [join(place, 'offprint.json'), join(place, 'out')];
  const settings = { site: { url: 'https://a.example' }, import: [{ format: 'markdown', path: posts }] };
  writeFileSync(config, JSON.stringify(settings));
  const args = ['start', '--db', join(place, 'blog.db'), '--out', out, '--config', config];
  const more = ['--port', '0', '--admin', '0', '--cron', '* * * * * *', '--log', 'json'];
  const service = await startServer([...args, ...more]);
  try {
    const metrics = async () => (await fetch(`${adminOf(service)}/metrics`)).text();
    const failures = async () =>
      Number(/^offprint_task_runs_total\{task="import",result="failed"\} (\d+)/m.exec(await metrics())?.[1]);
    await expect.poll(metrics).toMatch(/^offprint_fault\{what="importing"\} 0$/m);
    expect(await failures()).toBe(0);
    renameSync(posts, `${posts}-away`);
    await expect.poll(metrics).toMatch(/^offprint_fault\{what="importing"\} 1$/m);
    await expect.poll(failures).toBeGreaterThan(0);
    renameSync(`${posts}-away`, posts);
    await expect.poll(metrics).toMatch(/^offprint_fault\{what="importing"\} 0$/m);
    await expect.poll(() => readProblems(out)).toEqual([]);
  } finally {
    await service.end('SIGTERM');
  }
});

const dashboardSchema = z.object({
  panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })) })),
});

async function rebuild(token: string | null): Promise<number> {
  const headers = token === null ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(`${admin}/rebuild`, { method: 'POST', headers });
  await response.arrayBuffer();
  return response.status;
}

async function snapshot(): Promise<string | null> {
  const response = await fetch(`${server.url}/api/public/v1/posts`);
  await response.arrayBuffer();
  return response.headers.get('x-snapshot');
}

function touch(path: string): void {
  editing(path, (db) => db.exec("UPDATE posts SET title = title || '!' WHERE status = 'published'"));
}

interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const answerSchema = z.object({
  data: z.object({
    result: z.array(
      z.object({ metric: z.record(z.string(), z.string()), value: z.tuple([z.number(), z.string()]) }),
    ),
  }),
});

/** @returns the samples, without the metric's name and the labels that Prometheus adds */
async function queryPrometheus(address: string, expression: string): Promise<Sample[]> {
  const response = await fetch(`http://${address}/api/v1/query?query=${encodeURIComponent(expression)}`);
  const { data } = answerSchema.parse(await response.json());
  return data.result.map(({ metric, value: [, value] }) => {
    const { __name__: _name, instance: _instance, job: _job, ...labels } = metric;
    return { labels, value: Number(value) };
  });
}

function sorted(samples: readonly Sample[]): Sample[] {
  return samples.toSorted((a, b) => (JSON.stringify(a.labels) < JSON.stringify(b.labels) ? -1 : 1));
}
