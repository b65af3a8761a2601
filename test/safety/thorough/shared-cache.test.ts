/**
 * nginx as a shared cache: what it caches, and for whom.
 */
import { describe, expect, it } from 'vitest';
import { PREFIX } from '../../../contract/api.ts';
import { send } from '../../service/client.ts';
import { nginx } from '../proxies.ts';
import { makeServedBlog } from '../served-blog.ts';
import { lacks } from '../../lacks.ts';

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

describe.skipIf(lacks('nginx', nginx.isTested))('a shared cache', () => {
  it.each([
    ['keeps answers without a key for callers without a key, if they have no limits', NONE, 'nobody', 200],
    ['keeps no answer to a key', NONE, 'key', 502],
    ['keeps nothing if there are limits', undefined, 'nobody', 502],
  ] as const)('%s', async (_, limits, first, nobody) => {
    expect(await keptFor(limits, first)).toEqual({ nobody, key: 502, bearer: 502 });
  });
});
