import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { readPublished } from '../published-blog.ts';
import { publish, shortBlog } from '../publishing.ts';
import { blogPaths } from '../temporary-folder.ts';

const WRITER = fileURLToPath(new URL('../generation-writer.ts', import.meta.url));
const BUILDS = 15;

test('each snapshot is of one commit, even if the database is written during the build', async () => {
  const { db, out } = blogPaths();
  shortBlog(db, 130, 15);

  const writer = spawn(process.execPath, [WRITER, db], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void writer.kill('SIGKILL'));
  let written = 0;
  writer.stdout.setEncoding('utf8').on('data', (text: string) => {
    written = Number(text.trim().split('\n').at(-1));
  });
  await once(writer.stdout, 'data');

  const published: number[] = [];
  for (let build = 0; build < BUILDS; build += 1) {
    const before = written;
    await publish(db, out, { threads: true });
    const text = JSON.stringify(readPublished(out));
    const generations = new Set([
      ...[...text.matchAll(/\[generation (\d+)\]/g)].map(([, number]) => Number(number)),
      ...[...text.matchAll(/"views":(\d+)/g)].map(([, number]) => Number(number)),
    ]);
    expect([...generations], `build ${build}, begun after ${before}`).toHaveLength(1);
    published.push(...generations);
    await new Promise((resolve) => setTimeout(resolve, 20)); // Lets the writer's messages arrive.
  }
  expect(writer.exitCode).toBeNull();
  expect(published).toEqual(published.toSorted((a, b) => a - b));
  expect(new Set(published).size, 'the blog changed between builds').toBeGreaterThan(BUILDS / 2);
});
