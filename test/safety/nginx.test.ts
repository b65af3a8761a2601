/** The nginx of deploy/nginx.conf, really run in front of the service, where nginx is installed. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PREFIX } from '../../contract/api.ts';
import { read } from '../docs/documents.ts';
import { send } from '../service/client.ts';
import { rawGet, sendRaw } from '../service/raw-client.ts';
import type { Server } from '../service/server-process.ts';
import { makeServedBlog, type ServedBlog } from './served-blog.ts';

const NGINX = '/usr/sbin/nginx';
const isInstalled = spawnSync(NGINX, ['-v']).status === 0;

describe.skipIf(!isInstalled)(`behind ${NGINX}`, () => {
  let blog: ServedBlog;
  let server: Server;
  let nginx: ChildProcess;
  let url: string;

  beforeAll(async () => {
    blog = await makeServedBlog(60);
    server = await blog.serve();
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const folder = `${blog.folder}/nginx`;
    mkdirSync(folder);
    const site = read('deploy/nginx.conf')
      .replace('127.0.0.1:8787', new URL(server.url).host)
      .replace('listen 80;', `listen 127.0.0.1:${port};`);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    writeFileSync(
      `${folder}/nginx.conf`,
      [
        'daemon off;',
        `pid ${folder}/pid;`,
        `error_log ${folder}/error.log;`,
        'events {}',
        'http {',
        'access_log off;',
        ...temporary.map((name) => `${name}_temp_path ${folder}/${name};`),
        site,
        '}',
      ].join('\n'),
    );
    nginx = spawn(NGINX, ['-c', `${folder}/nginx.conf`, '-p', folder], { stdio: 'inherit' });
    for (
      let times = 0;
      times < 100 && (await sendRaw(url, rawGet('/')).catch(() => null)) === null;
      times += 1
    )
      await sleep(100);
  });
  afterAll(async () => {
    if (nginx.exitCode === null) {
      nginx.kill('SIGQUIT');
      await once(nginx, 'close');
    }
    await server.end('SIGKILL');
    blog.remove();
  });

  it('forged addresses gain nothing', async () => {
    const used: number[] = [];
    for (const forged of ['192.0.2.1', '192.0.2.2', '192.0.2.3, 192.0.2.4', '']) {
      const reply = await send(url, { path: `${PREFIX}/me`, headers: { 'X-Forwarded-For': forged } });
      used.push(Number(reply.header('x-quota-used')));
    }
    const [first = 0] = used;
    expect(used).toEqual([first, first + 1, first + 2, first + 3]);
    const direct = await send(server.url, {
      path: `${PREFIX}/me`,
      headers: { 'X-Forwarded-For': '127.0.0.1' },
    });
    expect(Number(direct.header('x-quota-used'))).toBe(first + 4);
  });

  it('lists are packed, and come out as they went in', async () => {
    const path = `${PREFIX}/posts?per_page=50`;
    const packed = await fetchBytes(url + path, { 'Accept-Encoding': 'gzip' });
    expect(packed.encoding).toBe('gzip');
    const plain = await send(server.url, { path });
    expect(gunzipSync(packed.bytes).toString('utf8')).toBe(plain.text);
  });

  it('nothing but the interface is reached', async () => {
    for (const path of ['/healthz', '/readyz', '/api/public', `${PREFIX}/../../../healthz`]) {
      const { status, text } = await send(url, { path });
      expect(status, path).toBe(404);
      expect(text).not.toContain('"status"');
    }
  });

  it.each([`${PREFIX}/posts/%2e%2e%2fa`, `${PREFIX}/posts/a%00b`, `${PREFIX}/posts/%`, `${PREFIX}/posts//a`])(
    'the path %s arrives as it was sent, or is refused',
    async (path) => {
      const reply = await send(url, { path });
      expect([400, 404]).toContain(reply.status);
    },
  );

  it('a body, a request in a body and odd framing reach nobody', async () => {
    const hidden = `GET ${PREFIX}/posts?page=987654 HTTP/1.1\r\nHost: a\r\n\r\n`;
    const withBody = await send(url, { path: `${PREFIX}/me`, method: 'POST', body: hidden });
    expect(withBody.status).toBe(405);
    const both = `Content-Length: ${hidden.length + 5}\r\nTransfer-Encoding: chunked`;
    const reply = await sendRaw(url, rawGet(`${PREFIX}/me`, [both, '', `0\r\n\r\n${hidden}`]));
    expect(reply?.text ?? '').not.toContain('987654');
    expect((await send(url, { path: `${PREFIX}/tags` })).status).toBe(200);
  });

  it('many requests over kept connections have their own answers', async () => {
    const pages = Array.from({ length: 300 }, (_, i) => (i % 50) + 1);
    const found = await Promise.all(
      pages.map(async (perPage) => (await send(url, { path: `${PREFIX}/posts?per_page=${perPage}` })).json),
    );
    expect(found).toEqual(pages.map((per_page) => expect.objectContaining({ data: expect.objectContaining({ meta: expect.objectContaining({ per_page }) }) }))); // prettier-ignore
  });
});

async function fetchBytes(url: string, headers: Record<string, string>) {
  const { hostname, port, pathname, search } = new URL(url);
  const { request } = await import('node:http');
  return new Promise<{ encoding: string | undefined; bytes: Buffer }>((resolve, reject) => {
    request({ hostname, port, path: pathname + search, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ encoding: response.headers['content-encoding'], bytes: Buffer.concat(chunks) }),
      );
    })
      .on('error', reject)
      .end();
  });
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('It has no port.');
  return address.port;
}
