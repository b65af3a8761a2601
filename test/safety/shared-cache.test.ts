/**
 * nginx as a shared cache: what it caches, and for whom.
 */
import { expect, it } from 'vitest';
import { PREFIX } from '../../contract/api.ts';
import { send } from '../service/client.ts';
import { nginx } from './proxies.ts';
import { makeServedBlog } from './served-blog.ts';
import { lacks } from '../lacks.ts';

const PATH = `${PREFIX}/posts`;

/** Requests through nginx while the service runs, and again after its end: answers that still come were cached. */
async function keptFor(limits: Parameters<typeof makeServedBlog>[1], first: 'nobody' | 'key') {
  const blog = await makeServedBlog(20, limits);
  const server = await blog.serve();
  const proxy = await nginx.start(server.url, 15, true);
  try {
    const { key } = await blog.createKey({ account: 'reader', name: 'reader' });
    const headers = { nobody: {}, key: { 'X-Api-Key': key }, bearer: { Authorization: `Bearer ${key}` } };
    const ask = async (who: keyof typeof headers) =>
      (await send(proxy.url, { path: PATH, headers: headers[who] })).status;
    expect(await ask(first)).toBe(200);
    if (first === 'key') expect(await ask('bearer')).toBe(200);
    await server.end('SIGKILL');
    return { nobody: await ask('nobody'), key: await ask('key'), bearer: await ask('bearer') };
  } finally {
    await proxy.end();
    await server.end('SIGKILL');
  }
}

const NONE = { day: { address: null }, minute: { address: null } };

it.skipIf(lacks('nginx', nginx.isTested))(
  'an answer without a key is cached for callers without a key, if they have no limits',
  async () => {
    expect(await keptFor(NONE, 'nobody')).toEqual({ nobody: 200, key: 502, bearer: 502 });
  },
);

it.skipIf(lacks('nginx', nginx.isTested))('an answer to a key is not cached', async () => {
  expect(await keptFor(NONE, 'key')).toEqual({ nobody: 502, key: 502, bearer: 502 });
});

it.skipIf(lacks('nginx', nginx.isTested))('nothing is cached if there are limits', async () => {
  expect(await keptFor(undefined, 'nobody')).toEqual({ nobody: 502, key: 502, bearer: 502 });
});
