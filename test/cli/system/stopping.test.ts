/**
 * A process manager ends npm. The process that npm had started must end too.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { shortBlog } from '../../build/publishing.ts';
import { temporaryFolder } from '../../build/temporary-folder.ts';
import { ROOT } from '../../docs/documents.ts';
import { send } from '../../service/client.ts';
import { following } from '../../service/command.ts';

test('SIGTERM to npm start ends the service, not only npm', async () => {
  const folder = temporaryFolder();
  shortBlog(join(folder, 'blog.db'), 3, 1);
  const places = ['--db', join(folder, 'blog.db'), '--out', join(folder, 'out')];
  const npm = spawn('npm', ['start', '--', '--port', '0', ...places], { cwd: ROOT });
  const running = following(npm);
  const address = /http:\/\/[\d.]+:\d+(?=\D)/;
  await running.printed(address);
  const url = address.exec(running.stdout)?.[0] ?? '';
  const isServed = () =>
    send(url, { path: '/healthz' }).then(
      ({ status }) => status === 200,
      () => false,
    );
  expect(await isServed()).toBe(true);
  npm.kill('SIGTERM');
  await expect.poll(isServed).toBe(false);
  await running.ended; // The service has its output too.
});
