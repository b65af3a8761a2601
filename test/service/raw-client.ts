import { connect } from 'node:net';
import { makeReply, type Reply } from './client.ts';

/**
 * Sends raw bytes to the service at `origin`, for requests that no client library would send. Returns the first
 * reply, or null if the connection is closed without one.
 */
export async function sendRaw(origin: string, request: string | Uint8Array): Promise<Reply | null> {
  const { hostname, port } = new URL(origin);
  const chunks: Buffer[] = [];
  await new Promise<void>((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(request));
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      if (isWhole(Buffer.concat(chunks))) socket.destroy();
    });
    // A server may close while a long request is being sent; its reply counts.
    socket.on('error', () => resolve());
    socket.on('close', () => resolve());
  });
  return parseReply(Buffer.concat(chunks));
}

/** A GET with custom header lines, and the connection closed afterwards. */
export function rawGet(target: string | Uint8Array, lines: readonly (string | Uint8Array)[] = []): Buffer {
  const head = ' HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n';
  const parts = ['GET ', target, head, ...lines.flatMap((line) => [line, '\r\n']), '\r\n'];
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}

function isWhole(bytes: Buffer): boolean {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const length = /^content-length: *(\d+)/im.exec(bytes.toString('latin1', 0, end))?.[1];
  return length !== undefined && bytes.length >= end + 4 + Number(length);
}

function parseReply(bytes: Buffer): Reply | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  const body = bytes.subarray(end + 4);
  const text = headers['transfer-encoding'] === 'chunked' ? dechunk(body) : body;
  return makeReply(Number(first.split(' ')[1]), headers, text.toString('utf8'));
}

function dechunk(body: Buffer): Buffer {
  const parts: Buffer[] = [];
  let start = 0;
  for (;;) {
    const lineEnd = body.indexOf('\r\n', start);
    const size = Number.parseInt(body.toString('latin1', start, lineEnd), 16);
    if (lineEnd < 0 || !(size > 0)) return Buffer.concat(parts);
    parts.push(body.subarray(lineEnd + 2, lineEnd + 2 + size));
    start = lineEnd + 2 + size + 2;
  }
}
