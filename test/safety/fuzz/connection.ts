import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../../bench/generate/random.ts';
import { send } from '../../service/client.ts';
import type { Caller } from './callers.ts';
import { HIDDEN, oddRequest } from './odd-requests.ts';
import { lastRequest, OWN_PAGE, type Piece, plainRequest } from './plain-requests.ts';
import { faultOf, NoReplies, type RawReply, readReplies } from './replies.ts';

/** The result of one connection. */
export interface ConnectionResult {
  readonly requests: number;
  readonly replies: readonly RawReply[];
  /** The service closed it. */
  readonly wasReset: boolean;
  readonly faults: readonly string[];
}

/** Sends some requests on one connection, at once or in chunks, and checks the answers. */
export async function fuzzConnection(url: string, caller: Caller, random: Random): Promise<ConnectionResult> {
  const pieces = Array.from({ length: random.between(1, 9) }, () =>
    random.chance(0.45) ? plainRequest(random, caller) : oddRequest(random, caller),
  );
  // After a request without a clear end, nothing is known, so at most one follows.
  const unclear = pieces.findIndex(({ answers }) => answers === 'any');
  if (unclear !== -1) pieces.splice(unclear + 1 + random.below(2));
  pieces.push(lastRequest(caller));
  const due = unclear === -1 ? pieces.length : unclear;
  const { bytes, wasReset } = await exchange(url, pieces, due, random);

  const faults: string[] = [];
  let replies: RawReply[] = [];
  try {
    const read = readReplies(bytes, true);
    replies = read.replies.filter(({ status }) => status !== 100);
    if (unclear === -1 && read.rest > 0) faults.push(`${read.rest} bytes of a reply that is not whole`);
  } catch (error) {
    if (!(error instanceof NoReplies)) throw error;
    faults.push(error.message);
  }
  const asked = Buffer.concat(pieces.map((piece) => piece.bytes)).toString('latin1');
  for (const reply of replies)
    faults.push(
      ...[faultOf(reply, HIDDEN), strangerFault(reply, caller, asked)].filter((fault) => fault !== null),
    );
  if (unclear === -1 && replies.length !== pieces.length)
    faults.push(`${replies.length} answers to ${pieces.length} requests`);
  // If the service closes while requests are pending, unread answers may be lost (RFC 9112, 9.6). With a conforming
  // client that may not happen.
  if (unclear === -1 || !wasReset) faults.push(...orderFaults(pieces.slice(0, due), replies));
  const sent = pieces.map(
    ({ answers, bytes: piece }) => `\n    ${answers} ${JSON.stringify(piece.toString('latin1', 0, 160))}`,
  );
  return {
    requests: pieces.length,
    replies,
    wasReset,
    faults: faults.map((fault) => fault + sent.join('')),
  };
}

/** Each request has its answer, in order, and is counted. */
function orderFaults(pieces: readonly Piece[], replies: readonly RawReply[]): string[] {
  const faults: string[] = [];
  let used: number | undefined;
  for (const [i, piece] of pieces.entries()) {
    const reply = replies[i];
    if (reply === undefined) return [...faults, `request ${i} has no answer`];
    const fault = piece.fault(reply);
    if (fault !== null) faults.push(`request ${i}: ${fault}`);
    const usedNow = Number(reply.header('x-quota-used'));
    if (piece.counts !== undefined && used !== undefined && usedNow !== used + piece.counts) {
      faults.push(`request ${i}: ${used} were used before it and ${usedNow} after it`);
    }
    used = piece.counts === undefined ? undefined : usedNow;
  }
  return faults;
}

/** An answer for another caller: with its key or its echo. @param asked a changed request may ask for another's page */
function strangerFault({ status, body }: RawReply, { prefix, number }: Caller, asked: string): string | null {
  const named = /"key":\{"name":"[^"]*","prefix":"([^"]*)"/.exec(body)?.[1];
  if (status === 200 && named !== undefined && named !== prefix)
    return `an answer to ${named} came to ${prefix}`;
  const page = Number(/"page":(\d+),/.exec(body)?.[1] ?? 0);
  const echoed = page - OWN_PAGE;
  return echoed >= 0 && echoed < OWN_PAGE && echoed !== number && !asked.includes(`page=${page}`)
    ? `an answer to caller ${echoed} came to ${number}`
    : null;
}

/** All bytes until the connection ends. If requests have no clear end, the client ends it, after the known answers. */
async function exchange(
  url: string,
  pieces: readonly Piece[],
  due: number,
  random: Random,
): Promise<{ readonly bytes: Buffer; readonly wasReset: boolean }> {
  const chunks: Buffer[] = [];
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
  let wasReset = false;
  let known: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      if (repliesIn(chunks) >= due) known();
    });
    socket.on('end', () => socket.destroy());
    socket.on('error', () => (wasReset = true)); // It may close while a request is pending.
    socket.on('close', () => resolve());
  });
  const sending = Buffer.concat(pieces.map(({ bytes }) => bytes));
  for (const part of random.chance(0.7) ? [sending] : chunksOf(random, sending)) {
    if (socket.destroyed) break;
    socket.write(part);
    await sleep(0);
  }
  if (due < pieces.length) {
    if (repliesIn(chunks) < due)
      await Promise.race([closed, new Promise<void>((resolve) => (known = resolve))]);
    // Answers to what came after them are on their way when another client's request is answered.
    await send(url, { path: '/healthz' });
    socket.end();
  }
  await closed;
  return { bytes: Buffer.concat(chunks), wasReset };
}

/** The number of complete replies so far; invalid ones are found at the end. */
function repliesIn(chunks: readonly Buffer[]): number {
  try {
    return readReplies(Buffer.concat(chunks), false).replies.filter(({ status }) => status !== 100).length;
  } catch {
    return Infinity;
  }
}

function chunksOf(random: Random, bytes: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const length = at > 4_000 ? bytes.length : random.between(1, 200);
    parts.push(bytes.subarray(at, at + length));
    at += length;
  }
  return parts;
}
