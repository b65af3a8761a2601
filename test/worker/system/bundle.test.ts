/**
 * The bundle that Wrangler uploads is small, and contains nothing of the build.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { folderUntil } from '../../build/temporary-folder.ts';
import { read, ROOT } from '../../docs/documents.ts';
import { readWorkerConfig } from '../../service/worker-config.ts';
import { WRANGLER, WRANGLER_ENVIRONMENT } from '../../service/wrangler.ts';

const MAX_BYTES = 116 * 1024;
/** As docs/operators/cloudflare.md says it. */
const [, MAX_COMPRESSED_KIB] = /uses less than (\d+) KiB/.exec(read('docs/operators/cloudflare.md')) ?? [];

const folder = folderUntil(afterAll);
let printed = '';
beforeAll(async () => {
  const args = ['deploy', '--dry-run', '--outdir', folder, '--config', join(ROOT, 'deploy/wrangler.jsonc')];
  const env = { ...process.env, ...WRANGLER_ENVIRONMENT };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [WRANGLER, ...args], { env });
  printed = stdout + stderr;
});

test('has at most 116 KB, and compressed what the documents say', () => {
  const bundle = readFileSync(join(folder, 'entry.js'));
  expect(bundle.length).toBeLessThanOrEqual(MAX_BYTES);
  expect(gzipSync(bundle).length).toBeLessThan(Number(MAX_COMPRESSED_KIB) * 1024);
});

test('consists of the core, the contract, the Worker, lru-cache and ipaddr.js', () => {
  const { sources }: { sources: string[] } = JSON.parse(readFileSync(join(folder, 'entry.js.map'), 'utf8'));
  const foreign = sources.filter(
    (source) =>
      !/(?:^|\/)(?:contract|gateway)\/(?!node\/)[\w./-]+\.ts$/.test(source) &&
      !/node_modules\/(?:lru-cache|ipaddr\.js)\//.test(source),
  );
  expect(sources.length).toBeGreaterThan(30);
  expect(foreign).toEqual([]);
});

test('imports nothing of Node', () => {
  expect(readFileSync(join(folder, 'entry.js'), 'utf8')).not.toMatch(/["']node:|\b(?:__)?require\(["']/);
});

test('has the bindings that the Worker uses, without a warning', () => {
  for (const binding of ['QUOTAS', 'BUCKET', 'BUCKET_PREFIX']) expect(printed).toContain(`env.${binding} `);
  expect(printed).not.toMatch(/warning/i);
  expect(readWorkerConfig()).toMatchObject({ secrets: { required: ['ADDRESS_SECRET'] } });
});
