import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { AddressRefused } from '../../import/errors.ts';
import { arePrivate, download } from '../../import/sources/http.ts';
import { offprintInProcess } from '../service/in-process.ts';
import { serverOf } from './feed/feed.ts';

/** A server on every address of this machine, which redirects; `asked` has the paths that were requested. */
async function redirecting(locationOf: (port: number) => string) {
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    if (url !== '/feed') response.end('{}');
    else response.writeHead(302, { location: locationOf(port) }).end();
  });
  await once(server.listen(0, '0.0.0.0'), 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { port, asked };
}

/** Public is 127.0.0.2 alone. */
const asIfPublic = async (url: string) => (new URL(url).hostname === '127.0.0.2' ? [false] : arePrivate(url));

test.each([
  ['127.0.0.2', '127.0.0.1', false],
  ['127.0.0.2', 'localhost', false],
  ['127.0.0.2', '[::ffff:127.0.0.1]', false],
  ['127.0.0.2', '127.0.0.2', true],
  ['127.0.0.1', '127.0.0.2', true],
  ['127.0.0.1', 'localhost', true],
])('a redirect from %s to %s is followed: %s', async (from, to, isFollowed) => {
  const { port, asked } = await redirecting((port) => `http://${to}:${port}/internal?token=SECRET`);
  const rules = { accept: '*/*', maxBytes: 1000, arePrivate: asIfPublic };
  const result = await download(`http://${from}:${port}/feed`, rules).catch((error: unknown) => error);
  expect(asked).toEqual(isFollowed ? ['/feed', '/internal?token=SECRET'] : ['/feed']);
  if (isFollowed) expect(result).toMatchObject({ url: expect.stringContaining('/internal') });
  else
    expect(result).toMatchObject({
      message: expect.stringMatching(/it redirects to \S+\/internal, which is in a private network/),
    });
});

test.each([
  [true, '127.0.0.1 0x7f.1 0.0.0.0 10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 localhost'],
  [true, '[::1] [::] [::ffff:10.0.0.1] [fd00::1] [fe80::1]'],
  [false, '172.32.0.1 192.0.66.2 [2606:4700::1111]'],
])('it is %s that these are private: %s', async (isPrivate, hosts) => {
  for (const host of hosts.split(' '))
    expect(new Set(await arePrivate(`http://${host}/`)), host).toEqual(new Set([isPrivate]));
});

test.each([
  [
    'http://SECRET:SECRET@127.0.0.1/feed?SECRET#SECRET',
    /^http:\/\/127\.0\.0\.1\/feed cannot be read: .* without user/,
  ],
  ['http://[SECRET/', /^http:\/\/\[SECRET\/ cannot be read: it must be a valid URL/],
  ['http://127.0.0.1:1/feed?SECRET', /^http:\/\/127\.0\.0\.1:1\/feed cannot be read/],
])('the message about %s is about %s', async (url, message) => {
  const failure = await download(url, { accept: '*/*', maxBytes: 1, tries: 1 }).catch(
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({ message: expect.stringMatching(message) });
});

test('neither an address nor a redirect is repeated with its secrets', async () => {
  for (const location of ['ftp://u:SECRET@x/?SECRET', 'http://u:SECRET@127.0.0.1/', '/gone?SECRET']) {
    const { port } = await redirecting(() => location);
    const feed = `http://127.0.0.1:${port}/feed`;
    const { code, stdout, stderr } = await offprintInProcess(['import', 'feed', feed, '--db', ':memory:']);
    expect(code).toBe(1);
    expect(stderr).toContain('http://127.0.0.1');
    expect(stdout + stderr).not.toContain('SECRET');
  }
});

test('a download that never ends is cancelled, even if data keeps arriving', async () => {
  const site = await serverOf({
    '/feed': (_, response) => {
      const dribbling = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(dribbling));
    },
  });
  const url = `${site}/feed`;
  const limit = new AbortController();
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(limit.signal);
  onTestFinished(() => timeout.mockRestore());
  const wholeBody = async () => {
    const { body } = await download(url, { accept: '*/*', maxBytes: 1_000_000, totalMs: 500 });
    expect(timeout.mock.calls).toEqual([[500]]);
    let chunks = 0;
    for await (const chunk of body) {
      expect(chunk.length).toBeGreaterThan(0);
      if ((chunks += 1) === 3) limit.abort(new DOMException('Late.', 'TimeoutError'));
    }
  };
  const failure = await wholeBody().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(AddressRefused);
  expect(failure).toMatchObject({ message: expect.stringContaining('it takes too long') });
});
