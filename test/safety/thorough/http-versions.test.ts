/**
 * Versions of HTTP over raw sockets: how each request is answered, and whether another one may follow on its connection
 * (RFC 9112, 2.3, 3.2, 6.1 and 9.3; RFC 9110, 2.5 and 15.6.6).
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PREFIX } from '../../../contract/api.ts';
import type { Server } from '../../service/server-process.ts';
import { repliesTo } from '../fuzz/replies.ts';
import { makeServedBlog, type ServedBlog } from '../served-blog.ts';

let blog: ServedBlog;
let server: Server;
beforeAll(async () => {
  blog = await makeServedBlog(5);
  server = await blog.serve();
});
afterAll(() => server.end('SIGKILL'));

const HOST = 'Host: a';
const KEEP = 'Connection: keep-alive';
const CHUNKED = 'Transfer-Encoding: chunked';
const NEXT = `GET ${PREFIX}/tags HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;

test.each<[version: string, lines: readonly string[], status: number, isOpen: boolean, body?: string]>([
  // 1.1: the connection persists, and Host is required.
  ['HTTP/1.1', [HOST], 200, true],
  ['HTTP/1.1', [HOST, 'Connection: close'], 200, false],
  ['HTTP/1.1', [HOST, CHUNKED], 200, true, '1\r\nx\r\n0\r\n\r\n'],
  ['HTTP/1.1', [HOST, 'Content-Length: 1'], 200, true, 'x'],
  ['HTTP/1.1', [], 400, false],
  // 1.0: it ends, unless the client asks to keep it. Host may be missing. Transfer-Encoding puts the end in doubt.
  ['HTTP/1.0', [], 200, false],
  ['HTTP/1.0', [KEEP], 200, true],
  ['HTTP/1.0', [KEEP, 'Content-Length: 1'], 200, true, 'x'],
  ['HTTP/1.0', [KEEP, 'Host: a b'], 400, false],
  ['HTTP/1.0', [KEEP, 'Expect: 100-continue'], 200, true],
  ['HTTP/1.0', [CHUNKED], 200, false, '0\r\n\r\n'],
  ['HTTP/1.0', [KEEP, CHUNKED], 200, false, '0\r\n\r\n'],
  ['HTTP/1.0', [KEEP, 'Transfer-Encoding: identity'], 400, false],
  ['HTTP/1.0', [KEEP, CHUNKED, 'Content-Length: 5'], 400, false, '0\r\n\r\n'],
  // Other versions are refused.
  ['HTTP/2.0', [HOST, KEEP], 505, false],
  ['HTTP/1.2', [HOST, KEEP], 505, false],
  ['HTTP/3.0', [HOST, KEEP], 505, false],
  ['HTTP/0.9', [HOST, KEEP], 400, false],
  ['', [HOST, KEEP], 400, false],
  // What is not a version: HTTP/, a digit, a point, a digit.
  ['HTTP/1', [HOST], 400, false],
  ['HTTP/1.', [HOST], 400, false],
  ['HTTP/1.10', [HOST], 400, false],
  ['HTTP/01.1', [HOST], 400, false],
  ['HTTP/-1.1', [HOST], 400, false],
  ['HTTP/a.b', [HOST], 400, false],
  ['HTTP/1.1 ', [HOST], 400, false],
  ['http/1.1', [HOST], 400, false],
  ['HTTPS/1.1', [HOST], 400, false],
  ['HTTP1.1', [HOST], 400, false],
  ['ICE/1.0', [HOST], 400, false],
])('"%s" with %j: %d, open for the next: %s', async (version, lines, status, isOpen, body = '') => {
  for (const method of ['GET', 'HEAD', 'CONNECT']) {
    if (method === 'CONNECT' && (isOpen || status === 200)) continue; // It has no path, and ends the connection.
    const start = version === '' ? `${method} ${PREFIX}/tags` : `${method} ${PREFIX}/tags ${version}`;
    const replies = await repliesTo(server.url, [start, ...lines, '', body].join('\r\n') + NEXT, true);
    expect([method, ...replies.map((reply) => reply.status)]).toEqual(
      isOpen ? [method, status, 200] : [method, status],
    );
    const [first] = replies;
    expect(first?.header('transfer-encoding')).toBeUndefined();
    if (!isOpen) expect(first?.header('connection')).toBe('close');
    else if (version === 'HTTP/1.0') expect(first?.header('connection')).toBe('keep-alive');
    if (status !== 200 && method === 'GET')
      expect(JSON.parse(first?.body ?? '')).toEqual({ success: false, message: expect.any(String) });
    if (status === 505 && method === 'GET') expect(first?.body).toContain('Use HTTP/1.1');
  }
});
