/**
 * Accounts and keys on the admin address of `start`, over HTTP.
 */
import { once } from 'node:events';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { serveAdmin } from '../../../cli/admin/admin-server.ts';
import { makeServedBlog, type ServedBlog } from '../../safety/served-blog.ts';
import { BUCKET_ENVIRONMENT } from '../../service/bucket-credentials.ts';
import { adminOf, type Server, startServer } from '../../service/server-process.ts';

const TOKEN = 'of-the-owner';
const reply = z.object({
  success: z.boolean(),
  message: z.string().optional(),
  data: z.unknown().optional(),
  warning: z.string().optional(),
});
const created = z.object({ key: z.string(), prefix: z.string(), expires_at: z.string().nullable() });

let blog: ServedBlog;
let server: Server;
let admin: string;

beforeAll(async () => {
  blog = await makeServedBlog(5, { day: { address: 1000, user: 900, partner: 500 }, minute: 1000 });
  server = await start(blog);
  admin = adminOf(server);
});

afterAll(() => server.end('SIGTERM'));

/** Runs `start` with an admin address. */
function start(of: ServedBlog, more: readonly string[] = []): Promise<Server> {
  const files = ['--db', of.db, '--out', of.out, '--config', join(of.folder, 'offprint.json')];
  const args = ['start', ...files, '--port', '0', '--admin', '0', '--log', 'json', ...more];
  return startServer(args, undefined, { OFFPRINT_ADMIN_TOKEN: TOKEN, ...BUCKET_ENVIRONMENT });
}

async function ask(method: string, path: string, body?: unknown, token: string | null = TOKEN) {
  const response = await fetch(admin + path, {
    method,
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const { success, message = '', data } = reply.parse(await response.json());
  expect(success).toBe(response.status < 400);
  return { status: response.status, message, data, allow: response.headers.get('allow') };
}

const meWith = async (key: string) => {
  const response = await fetch(`${server.url}/api/public/v1/me`, { headers: { 'x-api-key': key } });
  await response.arrayBuffer();
  return { status: response.status, limit: response.headers.get('x-quota-limit') };
};

describe('accounts over HTTP', () => {
  test('an account is made, gets a key that works, is used, changed and removed', async () => {
    const name = encodeURIComponent('ada@customer.example/ü');
    expect(await ask('PUT', `/accounts/${name}`, { plan: 'partner' })).toMatchObject({
      status: 201,
      data: { name: 'ada@customer.example/ü', plan: 'partner', keys: [] },
    });
    const made = await ask('POST', `/accounts/${name}/keys`, { name: 'site', expires: '90d' });
    expect(made.status).toBe(201);
    const { key, prefix } = created.parse(made.data);
    expect(await meWith(key)).toEqual({ status: 200, limit: '500' });
    await expect
      .poll(async () => (await ask('GET', `/accounts/${name}`)).data)
      .toMatchObject({ used: { today: 1, month: 1 }, days: [{ used: 1, limited: 0 }], keys: [{ prefix }] });
    expect(JSON.stringify((await ask('GET', `/accounts/${name}`)).data)).not.toContain(key);

    const rotated = await ask('POST', `/keys/${prefix}/rotate`, { grace: '7d' });
    const next = created.parse(rotated.data);
    expect(rotated.status).toBe(201);
    for (const one of [key, next.key]) expect((await meWith(one)).status).toBe(200);
    expect((await ask('PUT', `/accounts/${name}`, {})).data).toMatchObject({ plan: 'partner' });
    expect(await ask('PUT', `/accounts/${name}`, { plan: 'user' })).toMatchObject({ status: 200 });
    await expect.poll(() => meWith(key)).toEqual({ status: 200, limit: '900' });
    expect((await ask('DELETE', `/keys/${next.prefix}`)).data).toMatchObject({ revoked: true });
    await expect.poll(async () => (await meWith(next.key)).status).toBe(401);
    expect((await ask('DELETE', `/accounts/${name}`)).data).toMatchObject({ revoked: [prefix] });
    await expect.poll(async () => (await meWith(key)).status).toBe(401);
    expect((await ask('GET', `/accounts/${name}`)).status).toBe(404);
  });

  test.each([
    ['PUT', '/accounts/eve', { plan: 'gold' }, 422, /no plan "gold"/],
    ['PUT', '/accounts/eve', { plan: 'address' }, 422, /without a key/],
    ['PUT', '/accounts/eve', { plan: 5 }, 422, /"plan" must be a string/],
    ['PUT', '/accounts/eve', { limit: 5 }, 422, /has an unknown or missing field; the fields are plan/],
    ['PUT', '/accounts/eve', [], 422, /The body must be an object/],
    ['PUT', '/accounts/eve', '{"plan"', 400, /not valid JSON/],
    ['PUT', '/accounts/eve%E2%80%AE', {}, 422, /direction characters/],
    ['PUT', '/accounts/%20', {}, 422, /blank/],
    ['PUT', '/accounts/%E2', {}, 400, /percent-encoding/],
    ['PUT', `/accounts/${'a'.repeat(201)}`, {}, 422, /name is not allowed/],
    ['GET', '/accounts/nobody', undefined, 404, /There is no account "nobody"/],
    ['DELETE', '/accounts/nobody', undefined, 404, /There is no account/],
    ['POST', '/accounts/eve/keys', { name: 'n', plan: 'gold' }, 422, /no plan "gold"/],
    ['POST', '/accounts/eve/keys', {}, 422, /has an unknown or missing field; the fields are name/],
    ['POST', '/accounts/eve/keys', { name: 'n', expires: '2020-01-01' }, 422, /"expires" is in the past/],
    ['POST', '/accounts/eve/keys', { name: 'n', expires: 'soon' }, 422, /"expires" is not a time/],
    ['POST', '/accounts/eve/keys', { name: 'n', scopes: ['all'] }, 422, /"scopes" must be one or more of/],
    ['POST', '/accounts/eve/keys', { name: 'n', scopes: [] }, 422, /"scopes" must be one or more of/],
    ['POST', '/keys/opk_00000000/rotate', {}, 404, /There is no key/],
    ['DELETE', '/keys/opk_00000000', undefined, 404, /There is no key/],
    ['POST', '/accounts/eve', {}, 405, /Use GET or PUT or DELETE/],
    ['GET', '/keys', undefined, 404, /This port serves/],
    ['PUT', '/accounts/eve', ' '.repeat(70_000), 413, /longer than/],
  ])('%s %s %j gives %i, and changes nothing', async (method, path, body, status, message) => {
    const answer = await ask(method, path, body);
    expect(answer).toMatchObject({ status, message: expect.stringMatching(message) });
    expect((await ask('GET', '/accounts/eve')).status).toBe(404);
  });

  test('nothing is read or changed with another token, or none', async () => {
    for (const token of [null, '', 'another', `${TOKEN}x`])
      for (const request of ['GET /accounts/ada', 'PUT /accounts/eve', 'DELETE /keys/opk_00000000']) {
        const [method = '', path = ''] = request.split(' ');
        expect((await ask(method, path, undefined, token)).status, `${request} ${token}`).toBe(401);
      }
  });

  test('a revoked key cannot be rotated', async () => {
    const made = await ask('POST', '/accounts/bob/keys', { name: 'n', plan: 'partner' });
    const { prefix } = created.parse(made.data);
    expect((await ask('POST', '/accounts/bob/keys', { name: 'n', plan: 'user' })).status).toBe(409);
    await ask('DELETE', `/keys/${prefix}`);
    expect(await ask('POST', `/keys/${prefix}/rotate`, {})).toMatchObject({ status: 409 });
  });

  test('while the database is locked, readers are answered, and the change waits or says so', async () => {
    const other = new Database(blog.db).exec('BEGIN IMMEDIATE');
    let isDone = false;
    const change = ask('PUT', '/accounts/waiting', {}).finally(() => (isDone = true));
    try {
      for (let i = 0; i < 3; i++) expect((await fetch(`${server.url}/api/public/v1/posts`)).status).toBe(200);
      expect(isDone).toBe(false);
    } finally {
      other.exec('ROLLBACK');
      other.close();
    }
    expect([201, 503]).toContain((await change).status);
  });
});

describe('what fails here', () => {
  const config = () => join(blog.folder, 'offprint.json');

  test('is answered and logged: a mistake in the configuration, which stops no revocation', async () => {
    const made = await ask('POST', '/accounts/typo/keys', { name: 'n' });
    const { key, prefix } = created.parse(made.data);
    const before = readFileSync(config(), 'utf8');
    writeFileSync(config(), before.replace('"user":900', '"user":"100"'));
    try {
      const refused = await ask('PUT', '/accounts/typo', { plan: 'partner' });
      expect(refused).toMatchObject({ status: 500, message: expect.stringContaining('limits.day.user') });
      await expect.poll(() => server.log).toContain('PUT /accounts/typo: ');
      expect((await ask('DELETE', `/keys/${prefix}`)).status).toBe(200);
      expect((await meWith(key)).status).toBe(401);
    } finally {
      writeFileSync(config(), before);
    }
  });

  test('is answered and logged: out/keys is a file, a table is gone', async () => {
    const keys = join(blog.out, 'keys');
    renameSync(keys, `${keys}.away`);
    writeFileSync(keys, '');
    try {
      const made = await ask('POST', '/accounts/eve/keys', { name: 'n' });
      expect(made).toMatchObject({ status: 500, message: expect.stringContaining('not a folder') });
      await expect.poll(() => server.log).toContain('POST /accounts/eve/keys: Cannot write');
      const revoked = await ask('DELETE', '/keys/opk_00000000');
      expect([revoked.status, revoked.message]).toEqual([
        500,
        expect.stringContaining('Nothing was revoked'),
      ]);
    } finally {
      rmSync(keys);
      renameSync(`${keys}.away`, keys);
    }
    expect((await ask('GET', '/accounts/eve')).status).toBe(404);

    const rename = (from: string, to: string) =>
      new Database(blog.db).exec(`ALTER TABLE ${from} RENAME TO ${to}`).close();
    rename('accounts', 'renamed');
    try {
      const failed = await ask('GET', '/accounts/ada');
      expect(failed.status).toBe(500);
      await expect.poll(() => server.log).toContain('GET /accounts/ada: ');
      const metrics = await fetch(`${admin}/metrics`);
      expect(metrics.status).toBe(500);
      expect(reply.parse(await metrics.json()).message).toBe('Internal error. See the log.');
      await expect.poll(() => server.log).toContain('GET /metrics: ');
    } finally {
      rename('renamed', 'accounts');
    }
    expect((await fetch(`${admin}/metrics`)).status).toBe(200);
  });
});

test('a bucket that never answers holds up no change here, and no other request', async () => {
  const hanging = createServer().listen(0, '127.0.0.1');
  await once(hanging, 'listening');
  const { port } = hanging.address() as AddressInfo;
  const other = await makeServedBlog(5);
  const keys = await Promise.all(['a', 'b'].map((name) => other.createKey({ account: 'ada', name })));
  const starting = await start(other, [
    '--publish-to',
    's3://blog',
    '--endpoint',
    `http://127.0.0.1:${port}`,
  ]);
  onTestFinished(async () => {
    await starting.end('SIGKILL');
    hanging.close();
  });
  const send = async (method: string, path: string) => {
    const headers = { authorization: `Bearer ${TOKEN}` };
    return reply.parse(await (await fetch(adminOf(starting) + path, { method, headers })).json());
  };
  const answered: string[] = [];
  const revoked = keys.map(async ({ prefix }) => {
    const answer = await send('DELETE', `/keys/${prefix}`);
    answered.push(prefix);
    return answer;
  });
  expect(await send('GET', '/accounts/ada')).toMatchObject({ success: true });
  expect(answered).toEqual([]); // The answers wait a moment for the bucket, and nothing waits for them.
  for (const { key } of keys)
    expect((await fetch(`${starting.url}/api/public/v1/me`, { headers: { 'x-api-key': key } })).status).toBe(
      401,
    );
  for (const answer of await Promise.all(revoked))
    expect(answer).toMatchObject({
      success: true,
      warning: expect.stringMatching(/made on this machine.*s3:\/\/blog has not answered/),
    });
  await expect.poll(() => starting.log).toContain('but not in s3://blog');
});

test('until the first build has ended, clients are asked to repeat', async () => {
  const starting = await serveAdmin({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => starting.close());
  for (const path of ['/accounts/ada', '/keys/opk_00000000/rotate', '/rebuild']) {
    const response = await fetch(starting.url + path, { method: path === '/accounts/ada' ? 'GET' : 'POST' });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    expect(reply.parse(await response.json()).message).toContain('is still starting');
  }
});

test('a token that no header can carry is refused', async () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const token of ['of the owner', ' of-the-owner', 'of-the-owner\n', 'größer']) {
    vi.stubEnv('OFFPRINT_ADMIN_TOKEN', token);
    await expect(serveAdmin({ host: '127.0.0.1', port: 0 })).rejects.toThrow('No client can send the token');
  }
});

test('`serve` has no accounts, and names `start`', async () => {
  const serving = await (await makeServedBlog(5)).serve('--admin', '0', '--log', 'json');
  onTestFinished(async () => void (await serving.end('SIGTERM')));
  const [, address] = /(http:\/\/[^"\s]+)\/metrics/.exec(serving.log) ?? [];
  const response = await fetch(`${address}/accounts/ada`);
  expect(response.status).toBe(404);
  expect(await response.text()).toContain('Run \\"start\\" instead');
});
