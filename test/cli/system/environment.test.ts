/** Empty variables, as compose files and units of systemd pass those that are not set, and empty options. */
import { connect } from 'node:net';
import { once } from 'node:events';
import { beforeAll, expect, test } from 'vitest';
import { program } from '../../../cli/main.ts';
import { variablesOfOptions } from '../../docs/variables.ts';
import { makeServedBlog, type ServedBlog } from '../../safety/served-blog.ts';
import { offprintInProcess } from '../../service/in-process.ts';
import { startServer } from '../../service/server-process.ts';

let blog: ServedBlog;
beforeAll(async () => {
  blog = await makeServedBlog(20);
});

/** Another address of this machine, on which only what listens everywhere answers. */
const OTHER = '127.0.0.2';

test.each(['', ' '])('serve with "%s" in all variables listens on this machine only', async (value) => {
  const names = variablesOfOptions(await program());
  const empty = Object.fromEntries(names.map((name) => [name, value]));
  const server = await startServer(['serve', '--port', '0'], blog.folder, empty);
  try {
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:/);
    const { status } = await fetch(`${server.url}/readyz`);
    expect(status).toBe(200);
    const socket = connect(Number(new URL(server.url).port), OTHER);
    await expect(once(socket, 'connect').finally(() => socket.destroy())).rejects.toThrow('ECONNREFUSED');
  } finally {
    await server.end('SIGKILL');
  }
});

test.each([
  ['serve', '--host'],
  ['build', '--out'],
])('%s refuses an empty %s', async (command, option) => {
  const { code, stdout, stderr } = await offprintInProcess([command, option, '']);
  const says = `error: ${option} is empty. Give it a value, or omit it.\n`;
  expect([code, stdout, stderr]).toEqual([2, '', says]);
});
