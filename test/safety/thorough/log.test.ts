/**
 * What the log contains about requests, and what it never contains.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { PREFIX } from '../../../contract/api.ts';
import { loggedPath } from '../../../cli/access-log.ts';
import { send } from '../../service/client.ts';
import type { CreatedKey } from '../../service/home.ts';
import { rawGet, sendRaw } from '../../service/raw-client.ts';
import { makeServedBlog, type ServedBlog } from '../served-blog.ts';

const line = z.strictObject({
  level: z.enum(['info', 'error']),
  time: z.iso.datetime(),
  msg: z.literal('request'),
  request: z.string(),
  method: z.string().nullable(),
  path: z.string().nullable(),
  endpoint: z.string().nullable(),
  status: z.int(),
  bytes: z.int(),
  ms: z.number(),
  account: z.string().optional(),
  key: z.string().optional(),
  address: z.string().optional(),
  unsent: z.literal(true).optional(),
});

/** Every character in percent-encoding, such as `%6F` for an o. */
const everyByte = (text: string): string =>
  text.replace(/[^]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

const ADDRESS = '203.0.113.77';

describe('a log', () => {
  let blog: ServedBlog;
  let key: CreatedKey;
  beforeAll(async () => {
    blog = await makeServedBlog(30);
    key = await blog.createKey({ account: 'ada', name: 'a name' });
  });

  /** Sends some requests to a service with this log mode, stops it, and returns its output. */
  async function logOf(form: string): Promise<string> {
    const server = await blog.serve('--log', form);
    const from = { 'x-forwarded-for': ADDRESS };
    await send(server.url, { path: `${PREFIX}/tags?secret-in-query=1`, headers: from });
    await send(server.url, { path: `${PREFIX}/me`, headers: { ...from, 'x-api-key': key.key } });
    await send(server.url, { path: `${PREFIX}/me`, headers: { ...from, 'x-api-key': `${key.key}x` } });
    await send(server.url, { path: `${PREFIX}/posts?api_key=${key.key}`, headers: from });
    await send(server.url, { path: `${PREFIX}/posts/${key.key}`, headers: from });
    await send(server.url, { path: `${PREFIX}/posts/${everyByte(everyByte(key.key))}`, headers: from });
    await sendRaw(server.url, rawGet(`http://${key.key}@a/b?${key.key}`));
    await send(server.url, { path: '/healthz' });
    expect(await server.end('SIGTERM'), server.log).toBe(0);
    return server.log;
  }

  it.each(['text', 'json', 'off'])('contains no key, address or query with %s', async (form) => {
    const log = await logOf(form);
    const secret = key.key.slice(key.prefix.length + 1);
    const spellings = [secret, secret.slice(0, 12)].flatMap((text) => [text, everyByte(text)]);
    for (const text of [...spellings, ADDRESS, '203.0.113', 'secret-in-query', 'api_key'])
      expect(log).not.toContain(text);
    if (form === 'off') expect(log.trim().split('\n')).toHaveLength(1);
    else expect(log).toContain(`${PREFIX}/posts/${key.prefix}_…`);
  });

  it('has one line of JSON for each request, and for everything else', async () => {
    const log = await logOf('json');
    const all: unknown[] = log
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text));
    expect(all[0]).toMatchObject({ level: 'info', posts: 30, url: expect.any(String) });
    const lines = all.slice(1).map((value) => line.parse(value));
    expect(lines.map(({ status, endpoint }) => [status, endpoint])).toEqual([
      [200, 'tags'],
      [200, 'me'],
      [401, 'me'],
      [400, 'posts'],
      [400, 'post'],
      [404, 'post'],
      [400, null],
    ]);
    expect(lines[1]).toMatchObject({ method: 'GET', path: `${PREFIX}/me`, account: 'ada', key: key.prefix });
    expect(lines[1]?.bytes).toBeGreaterThan(50);
    const addresses = new Set([0, 2, 3, 4].map((i) => lines[i]?.address));
    expect([...addresses]).toEqual([expect.stringMatching(/^[\w-]{22}$/)]);
    expect(new Set(lines.map(({ request }) => request)).size).toBe(lines.length);
  });
});

describe('the path in a log', () => {
  it.each([
    ['/api/public/v1/posts?q=a', '/api/public/v1/posts'],
    ['/a#b?c', '/a'],
    ['http://user:secret@host:1/a?b', '/a'],
    ['/posts/opk_abcdEFGH_0123456789', '/posts/opk_abcdEFGH_…'],
    ['/posts/opk%5FabcdEFGH%5f0123456789', '/posts/opk_abcdEFGH_…'],
    ['/posts/%6F%70%6B_abcdEFGH_01234567%38%39/x', '/posts/opk_abcdEFGH_…/x'],
    ['/posts/opk%255FabcdEFGH%25255F0123456789', '/posts/opk_abcdEFGH_…'],
    ['/posts/%25%36%46pk_abcdEFGH_0123456789', '/posts/opk_abcdEFGH_…'],
    ['/%1b%5d/%e2%80%ae/opk%5FabcdEFGH_0123456789', '/%1B]/%E2%80%AE/opk_abcdEFGH_…'],
    ['/caf%C3%A9/%zz%/100%25', '/caf%C3%A9/%zz%/100%25'],
    ['/a%3Fq=opk%5FabcdEFGH_0123456789', '/a?q=opk_abcdEFGH_…'],
    ['//user:secret@host/a', '//host/a'],
    [`/${'x'.repeat(1000)}`, `/${'x'.repeat(299)}…`],
  ])('of %s', (target, path) => {
    expect(loggedPath(target)).toBe(path);
  });
});
