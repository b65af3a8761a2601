import { answerOf } from '../../service/in-process.ts';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Random } from '../../../bench/generate/random.ts';
import { formatKey, isWellFormedKey, keyPrefix, RANDOM_CHARACTERS } from '../../../contract/api-key.ts';
import { identify } from '../../../gateway/caller.ts';
import type { GatewayRequest } from '../../../gateway/home.ts';
import { keyCache } from '../../../gateway/key-cache.ts';
import { temporaryFolder } from '../../build/temporary-folder.ts';
import { cases, SEED } from '../../random-cases.ts';
import { FREE, useStage } from '../../conformance/stage.ts';
import { oddBlog } from '../../service/blogs.ts';
import { offprint } from '../../service/command.ts';
import { createdKeySchema } from '../../service/key-commands.ts';
import { nodeHome } from '../../service/node-home.ts';
import { writeEmptyBlog } from '../../service/odd-blog.ts';
import { HAS_SCRIPT, onTerminal } from '../../service/on-terminal.ts';
import { rawGet, sendRaw } from '../../service/raw-client.ts';
import { startServer } from '../../service/server-process.ts';
import { lacks } from '../../lacks.ts';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const newKey = () => formatKey(Array.from(randomBytes(RANDOM_CHARACTERS), (byte) => byte % 62));
/** Every form of a key's secret part. */
const secretOf = (key: string) => key.slice(13);

describe('a key that is made up', () => {
  const request = (headers: Readonly<Record<string, string>>): GatewayRequest => ({
    method: 'GET',
    target: '/api/public/v1/me',
    header: (name) => headers[name],
    addressId: () => 'address:x',
  });

  test(`is refused without a lookup if its checksum is wrong, seed ${SEED}`, () => {
    const random = new Random(SEED);
    let lookedUp = 0;
    const read = () => {
      lookedUp += 1;
      return null;
    };
    const store = keyCache({ hashKey: (key) => key, read }, 10_000);
    for (let run = 0; run < cases(2_000); run++) {
      const good = newKey();
      const at = random.below(good.length);
      const guesses = [
        good.slice(0, at) + random.pick([...DIGITS]) + good.slice(at + 1),
        good.slice(0, at) + good.slice(at + 1),
        good.toLowerCase(),
        `${good}\u0000`,
        good.slice(0, 45) + newKey().slice(45),
      ].filter((guess) => !isWellFormedKey(guess));
      for (const guess of guesses) {
        const caller = identify(request({ 'x-api-key': guess }), store);
        expect(caller).toMatchObject({ key: null, principal: { id: 'address:x' }, refusal: { status: 401 } });
      }
    }
    expect(lookedUp).toBe(0);
    // With a correct checksum, the store is asked.
    void identify(request({ 'x-api-key': newKey() }), store);
    expect(lookedUp).toBe(1);
  });
});

describe('in real traffic', () => {
  const stage = useStage(nodeHome, oddBlog, FREE);

  test('no key, query or address gets into a log, a file or an answer', async () => {
    const { service, caller } = stage();
    const { key } = await service.createKey({ account: 'ada', name: 'for all places' });
    const other = newKey();
    const marker = 'querymarker7f3a';
    const address = '203.0.113.247';
    const from = [`X-Forwarded-For: ${address}`];
    const bearer = (value: string) => [`Authorization: Bearer ${value}`, ...from];
    const targets = [
      ...['/api/public/v1/me', '/api/public/v1/posts', `/api/public/v1/posts?q=${marker}`],
      ...[key, other].flatMap((value) => [
        `/api/public/v1/me?api_key=${value}`,
        `/api/public/v1/me?x=${value}&q=${marker}`,
        `/api/public/v1/posts?q=${value}`,
        `/api/public/v1/posts?tag=${value}&category=${value}&author=${value}`,
        `/api/public/v1/posts?sort=${value}`,
        `/api/public/v1/posts?page=${value}&per_page=${value}`,
        `/api/public/v1/posts/${value}`,
        `/api/public/v1/authors/${value}`,
        `/api/public/v1/${value}`,
        `/${value}`,
        `/api/public/v1/posts/%zz${value}`,
        `/api/public/v1/me#${value}`,
        `http://user:${value}@x/api/public/v1/me`,
      ]),
    ];
    const replies: string[] = [];
    const ask = async (target: string, lines: readonly string[]) => {
      const reply = await sendRaw(service.url, rawGet(target, lines));
      if (reply) replies.push(reply.text, reply.header('link') ?? '');
      return reply?.status;
    };
    for (const target of targets) {
      await ask(target, from);
      await ask(target, bearer(key));
      await ask(target, bearer(other));
      await ask(target, [`X-Api-Key: ${key}`, ...from]);
      await ask(target, [`Authorization: Basic ${key}`, ...from]);
      await ask(target, [`X-Api-Key: ${key}`, ...bearer(other)]);
      await ask(target, [
        `Cookie: key=${key}`,
        `Referer: https://x.example/?${key}`,
        `User-Agent: ${key}`,
        ...from,
      ]);
      await ask(target, [`If-None-Match: "${key}"`, `X-Forwarded-For: ${key}`, ...from]);
    }
    const unreadable = [
      `GET /api/public/v1/me?${key} HTTP/9.9\r\nX-Api-Key: ${key}\r\n\r\n`,
      `${key}\r\n\r\n`,
      `${key} / HTTP/1.1\r\nHost: x\r\n\r\n`,
      `GET / HTTP/1.1\r\n${key}\r\n\r\n`,
      `GET /${key} HTTP/1.1\r\nHost: x\r\nContent-Length: ${key}\r\n\r\n`,
      `CONNECT ${key}:443 HTTP/1.1\r\nHost: ${key}\r\n\r\n`,
      `POST /api/public/v1/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${key.length}\r\n\r\n${key}`,
    ];
    for (const text of unreadable) replies.push((await sendRaw(service.url, text))?.text ?? '');

    // Causes failures, so that errors are logged.
    const isPost = (path: string) => readFileSync(path, 'utf8').startsWith('{"success":true,"data":{"slug"');
    for (const path of filesOf(join(service.folder, 'out', 'objects')))
      if (/\/(?:lines|positions)\//.test(path) || isPost(path)) rmSync(path);
    for (const slug of ['nothing-set', 'cover-path', 'leap', 'far-east'])
      expect(await ask(`/api/public/v1/posts/${slug}?x=${marker}`, bearer(key))).toBe(500);
    await ask(`/api/public/v1/posts?q=${marker}`, bearer(key));
    await ask(`/api/public/v1/posts?tag=cpp&page=1&x=${marker}`, bearer(key));
    expect((await caller.get('/me', { key })).status).toBe(200);

    expect(service.log).toMatch(/failed/); // Something was logged.
    const secrets = [
      secretOf(key),
      secretOf(other),
      secretOf(key).toLowerCase(),
      encoded(key),
      encoded(other),
    ];
    for (const secret of [...secrets, marker, address]) {
      expect(service.log.toLowerCase().includes(secret.toLowerCase()), `${secret} in the log`).toBe(false);
      const files = filesOf(service.folder);
      expect(files.length).toBeGreaterThan(20);
      const holding = files.filter((path) => path.includes(secret) || readFileSync(path).includes(secret));
      expect(holding, secret).toEqual([]);
    }
    expect(replies.length).toBeGreaterThan(200);
    for (const secret of secrets) expect(replies.filter((text) => text.includes(secret))).toEqual([]);
  });
});

/** Options with the files of a blog without articles. */
function emptyBlogFiles(): string[] {
  const folder = temporaryFolder();
  writeEmptyBlog(join(folder, 'blog.db'));
  return ['--db', join(folder, 'blog.db'), '--out', join(folder, 'out')];
}

describe('the command keys', () => {
  test.skipIf(lacks('script', HAS_SCRIPT))('prints the key on a line of its own, once', async () => {
    const files = emptyBlogFiles();
    const created = await onTerminal(['keys', 'create', ...files, '--account', 'ada', '--name', 'one']);
    const key = /opk_\w{8}_\w{38}/.exec(created.printed)?.[0] ?? '';
    expect(isWellFormedKey(key)).toBe(true);
    const lines = created.printed.split('\n').filter((line) => line.includes(secretOf(key)));
    expect(lines.map((line) => line.trim())).toEqual([key]);

    // A whole key, given instead of its prefix, is never printed.
    const prefix = keyPrefix(key);
    const mistaken = await Promise.all([
      offprint(['keys', 'rotate', key, ...files]),
      offprint(['keys', key]),
    ]);
    expect(mistaken.map(({ code }) => code)).not.toContain(0);
    const others = [
      await offprint(['keys', 'revoke', key, ...files]),
      await offprint(['keys', 'revoke', prefix, ...files]),
      ...(await Promise.all([
        offprint(['keys', 'list', ...files]),
        offprint(['keys', 'list', ...files, '--json']),
        offprint(['status', ...files]),
      ])),
    ];
    const said = [...mistaken, ...others].map(({ stdout, stderr }) => stdout + stderr);
    expect(said.join('\n')).toContain(prefix);
    expect(said.filter((text) => text.includes(secretOf(key)))).toEqual([]);
  });

  test('creates no key if it would be written to a file, unless JSON is requested', async () => {
    const files = emptyBlogFiles();
    const create = ['keys', 'create', ...files, '--account', 'ada', '--name', 'one'];
    const { code, stdout, stderr } = await offprint(create);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/printed only to a terminal.*--json/);
    expect(await answerOf(['keys', 'list', ...files])).toEqual([]);

    const { prefix } = createdKeySchema.parse(await answerOf(create));
    const rotate = await offprint(['keys', 'rotate', prefix, ...files]);
    expect({ code: rotate.code, stdout: rotate.stdout }).toEqual({ code: 2, stdout: '' });
    expect(await answerOf(['keys', 'list', ...files])).toMatchObject([{ prefix, revoked_at: null }]);
  });
});

describe('a first start', () => {
  const start = ['start', '--port', '0', '--cron', '0 0 1 1 *'];

  test.skipIf(lacks('script', HAS_SCRIPT))('prints a key on a terminal', async () => {
    const { code, printed } = await onTerminal([...start, ...emptyBlogFiles()], 'Ctrl-C stops');
    expect(printed).toMatch(/key +opk_\w{8}_\w{38} +shown only once/);
    expect(code).toBe(0);
  });

  test('creates no key if its output is redirected, and says how to create one', async () => {
    const files = emptyBlogFiles();
    const server = await startServer([...start, ...files]);
    await expect.poll(() => server.log).toContain('Ctrl-C stops');
    await server.end('SIGTERM');
    expect(server.log).not.toContain('opk_');
    expect(server.log).toMatch(/key +none yet; create one:\n +.*keys create --account NAME --name TEXT/);
    // With the options that were given: other databases have other keys.
    expect(server.log).toContain(`keys create --account NAME --name TEXT ${files.join(' ')}\n`);
    expect(await answerOf(['keys', 'list', ...files])).toEqual([]);
  });
});

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** In the forms of headers and databases. */
function encoded(key: string): string {
  return Buffer.from(key).toString('base64').slice(24, 56);
}
