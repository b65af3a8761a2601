/**
 * `npm run reader`: the static file server, over HTTP.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CAN_BE_NOBODY, NOBODY } from '../safety/as-nobody.ts';
import { send } from '../service/client.ts';
import { rawGet, sendRaw } from '../service/raw-client.ts';

const SERVER = fileURLToPath(new URL('../../examples/serve.mjs', import.meta.url));
const SECRET = 'not for anybody';

interface Served {
  readonly process: ChildProcess;
  readonly url: string;
}

/** A user who may not read every file, if the tests run as root. */
const IDS = CAN_BE_NOBODY ? { uid: NOBODY, gid: NOBODY } : {};

/** Starts the server; an empty `PORT` is ignored. */
async function serve(args: readonly string[], port = ''): Promise<Served> {
  const child = spawn(process.execPath, [SERVER, ...args], { ...IDS, env: { ...process.env, PORT: port } });
  const url = await new Promise<string>((resolve, reject) => {
    let printed = '';
    const read = (text: Buffer) => {
      printed += text.toString();
      const address = /http:\/\/[\d.]+:\d+/.exec(printed)?.[0];
      if (address !== undefined) resolve(address);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('close', () => reject(new Error(`It ended: ${printed}`)));
  });
  return { process: child, url };
}

/** Runs a server that cannot listen, and waits for its end. */
async function run(
  args: readonly string[],
  port = '',
): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [SERVER, ...args], { env: { ...process.env, PORT: port } });
  const printed = { stdout: '', stderr: '' };
  child.stdout.on('data', (text: Buffer) => (printed.stdout += text.toString()));
  child.stderr.on('data', (text: Buffer) => (printed.stderr += text.toString()));
  const [code] = await once(child, 'close');
  return { code, ...printed };
}

describe('a request', () => {
  let root: string;
  let served: Served;

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'offprint-reader-'));
    chmodSync(root, 0o755);
    const folder = join(root, 'site');
    mkdirSync(join(folder, 'deep'), { recursive: true });
    mkdirSync(join(root, 'site-of-another'));
    for (const name of ['outside.html', 'site-of-another/index.html', 'site/.hidden.html'])
      writeFileSync(join(root, name), SECRET);
    writeFileSync(join(folder, 'index.html'), '<h1>0123456789</h1>');
    writeFileSync(join(folder, 'reader.js'), '"use strict";');
    writeFileSync(join(folder, 'deep/index.html'), 'deep');
    symlinkSync(join(root, 'outside.html'), join(folder, 'linked.html'));
    symlinkSync(root, join(folder, 'up'));
    writeFileSync(join(folder, 'unreadable.html'), SECRET);
    chmodSync(join(folder, 'unreadable.html'), 0o000);
    mkdirSync(join(folder, 'folder.html'));
    served = await serve([folder, '0']);
  });
  afterAll(() => {
    served?.process.kill();
    rmSync(root, { recursive: true, force: true });
  });

  const isServing = async () => {
    expect((await send(served.url, { path: '/' })).text).toContain('0123456789');
    expect(served.process.exitCode).toBeNull();
  };

  it.each([
    ['a name of 5,000 letters', `/${'a'.repeat(5000)}.html`],
    ['invalid percent-encoding', '/%.html'],
    ['a NUL byte', '/index.html%00.html'],
    ['a path traversal', '/../outside.html'],
    ['an encoded path traversal', '/%2e%2e/outside.html'],
    ['a path traversal with an encoded slash', '/%2e%2e%2foutside.html'],
    ['a path traversal by backslashes', '/..\\outside.html'],
    ['a path traversal by encoded backslashes', '/..%5coutside.html'],
    ['a path traversal in an absolute URL', 'http://a/../../../outside.html'],
    ['a path without a slash', '../outside.html'],
    ['a folder whose name starts with the same letters', '/../site-of-another/'],
    ['two slashes', '//outside.html'],
    ['a link out of the folder', '/linked.html'],
    ['a linked folder', '/up/outside.html'],
    ['a hidden file', '/.hidden.html'],
    ['a folder with the name of a file', '/folder.html'],
    ['a file as a folder', '/index.html/'],
    ['an invalid URL', 'http://[/index.html'],
    ['an asterisk', '*'],
  ])('gets no file that it must not see: %s', async (_, target) => {
    const reply = await sendRaw(served.url, rawGet(target));
    expect([301, 400, 403, 404]).toContain(reply?.status);
    expect(reply?.text).not.toContain(SECRET);
    await isServing();
  });

  it('for an unreadable file is answered, and does not stop the server', async () => {
    const reply = await send(served.url, { path: '/unreadable.html' });
    // Root reads it anyway, unless the process can become nobody.
    expect(reply.status).toBe(CAN_BE_NOBODY || process.getuid?.() !== 0 ? 500 : 200);
    await isServing();
  });

  it('gets a file with its type and cache headers', async () => {
    const page = await send(served.url, { path: '/?post=a#b' });
    expect(page.status).toBe(200);
    expect(page.header('content-type')).toBe('text/html; charset=utf-8');
    expect(page.header('x-content-type-options')).toBe('nosniff');
    expect(page.header('content-security-policy')).toBe("frame-ancestors 'none'");
    expect(page.header('cache-control')).toBe('no-cache');
    const script = await send(served.url, { path: 'http://localhost/reader.js' });
    expect(script.header('content-type')).toBe('text/javascript; charset=utf-8');
    expect((await send(served.url, { path: '/deep/' })).text).toBe('deep');
  });

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE'])('by %s is rejected', async (method) => {
    const reply = await send(served.url, { path: '/', method });
    expect([reply.status, reply.header('allow')]).toEqual([405, 'GET, HEAD']);
    await isServing();
  });
});

describe('its port', () => {
  it('that is in use is reported in one line', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const ended = await run([], String(port));
    other.close();
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(ended.stderr).toMatch(new RegExp(`Port ${port} .*in use.*PORT=`));
  });

  it.each(['x', '-1', '65536', '80.5'])('must be valid: %s', async (port) => {
    const ended = await run([], port);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(ended.stderr).toContain(`"${port}"`);
  });

  it('is not opened if the folder does not exist', async () => {
    const ended = await run(['no/such/folder'], '0');
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(ended.stderr).toContain('no/such/folder');
  });
});
