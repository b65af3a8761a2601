/** What a service loads before its first response, by Node's own list: each part delays every start, and stays in memory. */
import { expect, test } from 'vitest';
import { PREFIX } from '../../../contract/api.ts';
import { builtBlog } from '../../publish/publishing.ts';
import { send } from '../../service/client.ts';
import { startServer } from '../../service/server-process.ts';

const PRELOAD = `process.on('exit', () => console.error('loaded: ' + process.moduleLoadList.join('|')))`;

test('serve loads no fetch of Node, as an import of node:http would', async () => {
  const { out } = await builtBlog(5);
  const preload = `--import=data:text/javascript,${encodeURIComponent(PRELOAD)}`;
  const server = await startServer(['serve', '--out', out, '--port', '0'], undefined, {
    NODE_OPTIONS: preload,
  });
  expect(await send(server.url, { path: `${PREFIX}/posts` })).toMatchObject({ status: 200 });
  await server.end('SIGTERM');
  const [, loaded = ''] = /loaded: (.*)/.exec(server.log) ?? [];
  expect(loaded).toContain('_http_server');
  expect(loaded).not.toContain('undici');
});
