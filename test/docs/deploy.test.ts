/**
 * Files of deploy/ for several machines, as text: what they set exists. Caddy's is run in test/safety/.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { program } from '../../cli/main.ts';
import { temporaryFolder } from '../build/temporary-folder.ts';
import { lacks } from '../lacks.ts';
import { read } from './documents.ts';

const SOCKET = 'deploy/offprint.socket';
const FILES = [
  'deploy/offprint.service',
  ...['gateway.conf', 'compose.yml', 'kubernetes.yml'].map((name) => `deploy/many/${name}`),
];

/** Variables that other programs define. */
const OTHERS = /^(?:AWS_|PGPASSWORD$|POSTGRES_|BUCKET$|ALL$|CMD$|VERSION$|OFFPRINT_(?:GATEWAYS|HEALTH)$)/;

const documents = (path: string) =>
  parseAllDocuments(read(path), { merge: true }).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS() as unknown;
  });

const probe = (path: string) =>
  z.looseObject({ httpGet: z.strictObject({ path: z.literal(path), port: z.literal('http') }) });

describe.each(FILES)('%s', (path) => {
  it('sets only variables that exist', async () => {
    const { commands } = await program();
    const known = new Set(commands.flatMap(({ options }) => options.map(({ envVar }) => envVar)));
    // In capitals, at the start of an assignment, or as a name.
    const set = [...read(path).matchAll(/^(?!#).*?\b((?:OFFPRINT|AWS|PG|POSTGRES)_?[A-Z_]+)\b/gm)].map(
      ([, name = '']) => name,
    );
    expect(set.length).toBeGreaterThan(1);
    expect(set.filter((name) => !known.has(name) && !OTHERS.test(name))).toEqual([]);
  });
});

it('the Compose file has two gateways of different folders, that start after the tables of counts', () => {
  const gateway = z.looseObject({
    command: z.tuple([z.literal('serve')]),
    environment: z.looseObject({
      OFFPRINT_FROM: z.string(),
      OFFPRINT_COUNTS: z.string(),
      OFFPRINT_DRAIN: z.literal('10s'),
    }),
    volumes: z.array(z.string()),
    depends_on: z.strictObject({
      counts: z.strictObject({ condition: z.literal('service_completed_successfully') }),
    }),
    stop_grace_period: z.literal('20s'),
  });
  const compose = z.looseObject({
    services: z.strictObject({
      builder: z.looseObject({ command: z.tuple([z.literal('start')]) }),
      counts: z.looseObject({ command: z.tuple([z.literal('counts'), z.literal('init')]) }),
      'gateway-1': gateway,
      'gateway-2': gateway,
      postgres: z.looseObject({ image: z.string() }),
      caddy: z.looseObject({
        environment: z.strictObject({ OFFPRINT_GATEWAYS: z.string(), OFFPRINT_HEALTH: z.string() }),
      }),
    }),
    volumes: z.record(z.string(), z.strictObject({})),
  });
  const [file] = documents('deploy/many/compose.yml');
  const { services, volumes } = compose.parse(file);
  const folders = [services['gateway-1'], services['gateway-2']].map(
    (one) => one.volumes[0]?.split(':')[0] ?? '',
  );
  expect(new Set(folders).size).toBe(2);
  for (const folder of folders) expect(Object.keys(volumes)).toContain(folder);
  expect(services.caddy.environment.OFFPRINT_GATEWAYS).toBe('gateway-1:8787 gateway-2:8787');
});

it('the Kubernetes manifest has probes, a disruption budget and a rolling update for the same pods', () => {
  const labels = z.strictObject({ app: z.literal('offprint') });
  const selector = z.strictObject({ matchLabels: labels });
  const container = z.looseObject({
    args: z.tuple([z.literal('serve')]),
    livenessProbe: probe('/healthz'),
    readinessProbe: probe('/readyz'),
    startupProbe: probe('/healthz'),
    ports: z.tuple([z.strictObject({ name: z.literal('http'), containerPort: z.literal(8787) })]),
    volumeMounts: z.array(z.strictObject({ name: z.string(), mountPath: z.string() })),
  });
  const deployment = z.looseObject({
    kind: z.literal('Deployment'),
    spec: z.looseObject({
      replicas: z.literal(2),
      selector,
      strategy: z.strictObject({
        rollingUpdate: z.strictObject({ maxUnavailable: z.literal(0), maxSurge: z.literal(1) }),
      }),
      template: z.looseObject({
        metadata: z.strictObject({ labels }),
        spec: z.looseObject({
          terminationGracePeriodSeconds: z.literal(30),
          containers: z.tuple([container]),
          volumes: z.array(z.looseObject({ name: z.string() })),
        }),
      }),
    }),
  });
  const manifest = z.tuple([
    z.looseObject({ kind: z.literal('ConfigMap') }),
    deployment,
    z.looseObject({ kind: z.literal('Service'), spec: z.looseObject({ selector: labels }) }),
    z.looseObject({
      kind: z.literal('PodDisruptionBudget'),
      spec: z.strictObject({ minAvailable: z.literal(1), selector }),
    }),
  ]);
  const [, { spec }] = manifest.parse(documents('deploy/many/kubernetes.yml'));
  const { containers, volumes } = spec.template.spec;
  const mounted = containers[0].volumeMounts.map(({ name }) => name);
  expect(mounted.sort()).toEqual(volumes.map(({ name }) => name).sort());
});

const HAS_SYSTEMD = spawnSync('systemd-analyze', ['--version']).status === 0;

it.skipIf(lacks('systemd', HAS_SYSTEMD))('the systemd units are valid', () => {
  const folder = temporaryFolder();
  // The program is not installed here.
  const unit = read('deploy/offprint.service').replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true');
  const gateway = read('deploy/many/gateway.conf')
    .replace(/^ExecStart=\/\S+/m, 'ExecStart=/bin/true')
    .replace(/^EnvironmentFile=/m, 'EnvironmentFile=-');
  writeFileSync(
    join(folder, 'offprint.service'),
    unit.replace(/^User=.*$/m, 'User=root').replace(/^Documentation=.*$/m, ''),
  );
  writeFileSync(join(folder, 'offprint.socket'), read(SOCKET));
  mkdirSync(join(folder, 'offprint.service.d'));
  writeFileSync(join(folder, 'offprint.service.d/gateway.conf'), gateway);
  const units = ['offprint.service', 'offprint.socket'].map((name) => join(folder, name));
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...units], {
    encoding: 'utf8',
  });
  expect(stderr.split('\n').filter((line) => line.includes('offprint'))).toEqual([]);
  expect(status).toBe(0);
});
