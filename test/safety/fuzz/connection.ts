import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../../bench/generate/random.ts';
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

/** The maximum time for which a service may leave a connection open. */
const HANG_MS = 90_000;
/**
 * After requests without a clear end, the client closes the connection when the known answers have arrived and it
 * has been quiet for this time.
 */
const QUIET_MS = 40;

/** Sends some requests on one connection, in one of several ways, and checks the answers. */
export async function fuzzConnection(
  port: number,
  caller: Caller,
  random: Random,
): Promise<ConnectionResult> {
  const pieces = plan(random, caller);
  const isClear = pieces.every(({ answers }) => answers !== 'any');
  const resets = !isClear && random.chance(0.1);
  const { bytes, hung, wasReset } = await exchange(port, pieces, { isClear, resets, random });
  const faults: string[] = hung ? ['it hangs'] : [];
  let replies: RawReply[] = [];
  try {
    const read = readReplies(bytes, true);
    replies = read.replies.filter(({ status }) => status !== 100);
    if (isClear && read.rest > 0) faults.push(`${read.rest} bytes of a reply that is not whole`);
  } catch (error) {
    if (!(error instanceof NoReplies)) throw error;
    faults.push(error.message);
  }
  for (const reply of replies)
    faults.push(...[faultOf(reply, HIDDEN), strangerFault(reply, caller)].filter((fault) => fault !== null));
  // If the service closes while requests are pending, unread answers may be lost (RFC 9112, 9.6). With a conforming
  // client that may not happen.
  if (!resets && (isClear || !wasReset)) faults.push(...orderFaults(pieces, replies));
  return {
    requests: pieces.length,
    replies,
    wasReset,
    faults: faults.map((fault) => `${fault}\n    ${describe(pieces)}`),
  };
}

function plan(random: Random, caller: Caller): Piece[] {
  const pieces = Array.from({ length: random.between(1, 9) }, () =>
    random.chance(0.45) ? plainRequest(random, caller) : oddRequest(random, caller),
  );
  // After a request without a clear end, nothing is known, so few follow.
  const open = pieces.findIndex(({ answers }) => answers === 'any');
  const kept = open === -1 ? pieces : pieces.slice(0, open + 1 + random.below(2));
  return [...kept, lastRequest(caller)];
}

/** Each request with a known answer has it, in order, up to the first without a clear end. */
function orderFaults(pieces: readonly Piece[], replies: readonly RawReply[]): string[] {
  const faults: string[] = [];
  let used: number | undefined;
  for (const [i, piece] of pieces.entries()) {
    if (piece.answers === 'any') break;
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
  const isClear = pieces.every(({ answers }) => answers !== 'any');
  if (isClear && replies.length !== pieces.length)
    faults.push(`${replies.length} answers to ${pieces.length} requests`);
  return faults;
}

/** An answer for another caller: with its key or its echo. */
function strangerFault({ status, body }: RawReply, { prefix, number }: Caller): string | null {
  const named = /"key":\{"name":"[^"]*","prefix":"([^"]*)"/.exec(body)?.[1];
  if (status === 200 && named !== undefined && named !== prefix)
    return `an answer to ${named} came to ${prefix}`;
  const page = Number(/"page":(\d+),/.exec(body)?.[1] ?? 0);
  const echoed = page - OWN_PAGE;
  return echoed >= 0 && echoed < OWN_PAGE && echoed !== number
    ? `an answer to caller ${echoed} came to ${number}`
    : null;
}

interface Way {
  readonly isClear: boolean;
  /** The client closes it in the middle. */
  readonly resets: boolean;
  readonly random: Random;
}

async function exchange(
  port: number,
  pieces: readonly Piece[],
  { isClear, resets, random }: Way,
): Promise<{ readonly bytes: Buffer; readonly hung: boolean; readonly wasReset: boolean }> {
  const chunks: Buffer[] = [];
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let hung = false;
  let wasReset = false;
  let quiet: NodeJS.Timeout | undefined;
  const due = resets ? 0 : pieces.findIndex(({ answers }) => answers === 'any');
  const stir = (): void => {
    clearTimeout(quiet);
    if (isClear || repliesIn(chunks) < due) return;
    quiet = setTimeout(() => (resets ? socket.resetAndDestroy() : socket.end()), QUIET_MS);
  };
  const closed = new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      stir();
    });
    socket.on('end', () => socket.destroy());
    socket.on('error', () => (wasReset = true)); // It may close while a request is pending.
    socket.on('close', () => resolve());
  });
  const hanging = setTimeout(() => {
    hung = true;
    socket.destroy();
  }, HANG_MS);
  const sending = Buffer.concat(pieces.map(({ bytes }) => bytes));
  // In one piece, one request at a time, or in small chunks.
  const parts = random.chance(0.7)
    ? [sending]
    : random.chance(0.7)
      ? pieces.map(({ bytes }) => bytes)
      : chunksOf(random, sending);
  for (const part of parts) {
    if (socket.destroyed) break;
    socket.write(part);
    if (parts.length > 1) await sleep(0);
  }
  stir();
  await closed;
  clearTimeout(hanging);
  clearTimeout(quiet);
  return { bytes: Buffer.concat(chunks), hung, wasReset };
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

function describe(pieces: readonly Piece[]): string {
  return pieces
    .map(({ answers, bytes }) => `${answers} ${JSON.stringify(bytes.toString('latin1', 0, 160))}`)
    .join('\n    ');
}
