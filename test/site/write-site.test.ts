/** The site as files is what a server gives: the same paths, bytes and headers. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sampleBlog } from '../service/blogs.ts';
import { send } from '../service/client.ts';
import { offprint } from '../service/command.ts';
import type { Service } from '../service/home.ts';
import { nodeHome } from '../service/node-home.ts';

const folder = mkdtempSync(join(tmpdir(), 'offprint-site-'));
let service: Service;

beforeAll(async () => {
  service = await nodeHome.serve(await sampleBlog());
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

test('"site" writes what is served', async () => {
  const { code, stdout } = await offprint(['site', folder, '--out', join(service.folder, 'out')]);
  expect(code).toBe(0);
  expect(stdout).toContain('wrote 6 files and _headers');

  const blocks = readFileSync(join(folder, '_headers'), 'utf8').split(/\n(?=\/)/);
  expect(blocks).toHaveLength(6);
  for (const block of blocks) {
    const [path = '', ...lines] = block.trim().split(/\n */);
    const reply = await send(service.url, { path });
    expect(reply.status, path).toBe(200);
    expect(readFileSync(join(folder, path === '/' ? 'index.html' : path), 'utf8')).toBe(reply.text);
    expect(lines.length, path).toBeGreaterThan(3);
    for (const line of lines) {
      const [name = '', value] = line.split(/: (.*)/);
      expect(reply.header(name), `${name} of ${path}`).toBe(value);
    }
  }
});

test('it says so where nothing is published', async () => {
  const { code, stderr } = await offprint(['site', folder, '--out', join(folder, 'nothing')]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^error: Nothing is published in .* Run "build" first/);
});
