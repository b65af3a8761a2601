/**
 * Files of deploy/ for several machines, as text: what they set exists. Caddy's is run in test/safety/.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { program } from '../../../cli/main.ts';
import { folderOf } from '../../import/folder.ts';
import { lacks } from '../../lacks.ts';
import { read } from '../documents.ts';

const FILES = [
  'deploy/offprint.service',
  ...['gateway.conf', 'compose.yml', 'kubernetes.yml'].map((name) => `deploy/many/${name}`),
];

/** Variables that other programs define. */
const OTHERS = /^(?:AWS_|PGPASSWORD$|POSTGRES_|BUCKET$|ALL$|CMD$|VERSION$|OFFPRINT_(?:GATEWAYS|HEALTH)$)/;

it.each(FILES.filter((path) => path.endsWith('.yml')))('%s is valid YAML', (path) => {
  const documents = parseAllDocuments(read(path), { merge: true });
  expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
});

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

const HAS_SYSTEMD = spawnSync('systemd-analyze', ['--version']).status === 0;

it.skipIf(lacks('systemd', HAS_SYSTEMD))('the systemd units are valid', () => {
  // The program is not installed here.
  const unit = read('deploy/offprint.service').replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true');
  const gateway = read('deploy/many/gateway.conf')
    .replace(/^ExecStart=\/\S+/m, 'ExecStart=/bin/true')
    .replace(/^EnvironmentFile=/m, 'EnvironmentFile=-');
  const folder = folderOf({
    'offprint.service': unit.replace(/^User=.*$/m, 'User=root').replace(/^Documentation=.*$/m, ''),
    'offprint.socket': read('deploy/offprint.socket'),
    'offprint.service.d/gateway.conf': gateway,
  });
  const units = ['offprint.service', 'offprint.socket'].map((name) => join(folder, name));
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...units], {
    encoding: 'utf8',
  });
  expect(stderr.split('\n').filter((line) => line.includes('offprint'))).toEqual([]);
  expect(status).toBe(0);
});
