/**
 * The log of a service:
 *
 *   off    events, for people
 *   text   events, and a short line for each request
 *   json   events and requests as JSON, one object per line, for process managers
 *
 * Lines go through a bounded buffer that is written asynchronously. If the reader stalls, lines are dropped and counted,
 * but requests are never delayed.
 */
import { stripVTControlCharacters } from 'node:util';
import { withoutSecrets } from '../contract/api-key.ts';
import { type AccessLine, accessLine, type AnsweredRequest } from './access-log.ts';
import { colours } from './colours.ts';
import { describeFailure } from './failure.ts';
import type { LogForm } from './options.ts';
import { printable, printableJson } from './printable.ts';
import { megabytes, moment } from './terminal.ts';

export interface Log {
  readonly form: LogForm;
  /** Logs a request. Undefined: requests are not logged. */
  readonly requests: ((request: AnsweredRequest) => void) | undefined;
  /** Logs a normal event. */
  info(text: string, fields?: Fields): void;
  /** Logs a problem that needs attention. */
  fault(text: string, fields?: Fields): void;
  /** Flushes the buffer. */
  close(): void;
}

type Fields = Readonly<Record<string, unknown>>;

const BUFFER_BYTES = 4 * 2 ** 20;
/** The buffer is flushed at this size, or after this time. */
const CHUNK_BYTES = 8_192;
const FLUSH_MS = 250;

/** Pino is loaded only if requests are logged. */
export async function openLog(form: LogForm): Promise<Log> {
  if (form === 'off') return { form, requests: undefined, ...onTerminal, close: () => undefined };
  const { default: pino } = await import('pino');
  const destination = pino.destination({
    fd: process.stdout.fd,
    sync: false,
    maxLength: BUFFER_BYTES,
    minLength: CHUNK_BYTES,
    periodicFlush: FLUSH_MS,
  });
  let isWritable = true;
  // Its own flush would retry endlessly on a full disk.
  const close = (): void => (isWritable ? destination.flushSync() : destination.destroy());
  let dropped = 0;
  destination.on('drop', () => (dropped += 1));
  // For example, a full disk. Unwritten lines are retried with the next write.
  const unwritable = faultLogger(onTerminal);
  destination.on('error', (error) => {
    isWritable = false;
    unwritable('the log cannot be written:', error);
  });
  destination.on('write', () => (isWritable = true));
  const logger = pino(
    { base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level: (level) => ({ level }) } },
    { write: (line) => void destination.write(`${printableJson(line.trimEnd())}\n`) },
  );
  const log: Log = {
    form,
    close,
    ...onTerminal,
    requests: (request) => void destination.write(asText(accessLine(request))),
    ...(form === 'json' && {
      // Server faults are errors; client errors are not.
      requests: (request) => logger[request.status >= 500 ? 'error' : 'info'](accessLine(request), 'request'),
      info: (text, fields) => logger.info(fields ?? {}, plain(text)),
      fault: (text, fields) => logger.error(fields ?? {}, plain(text)),
    }),
  };
  destination.on('drain', () => {
    if (dropped === 0) return;
    log.fault(`The log was read too slowly: ${dropped} lines were dropped.`, { lines: dropped });
    dropped = 0;
  });
  return log;
}

const onTerminal: Pick<Log, 'info' | 'fault'> = {
  info: (text) => console.log(timed(text)),
  fault: (text) => console.error(timed(text)),
};

/** `2026-11-23 22:31:07Z switched to snapshot …`, on each line. */
function timed(text: string): string {
  return text.replace(/^/gm, `${colours.dim(moment(new Date().toISOString()))} `);
}

const plain = (text: string): string => withoutSecrets(stripVTControlCharacters(text).trim());

/** `2026-11-23 12:01:02Z 200 GET /api/public/v1/posts 3.1 kB 0.42 ms ada opk_1a2B3c4D` */
function asText(line: AccessLine): string {
  const { method, path, status, bytes, ms, account, key, address } = line;
  const colour = status >= 500 ? colours.red : status >= 400 ? colours.yellow : colours.green;
  const words = [
    colour(String(status)),
    ...(method === null ? ['not readable'] : [method, printable(path ?? '')]),
    colours.dim(`${megabytes(bytes)} ${ms} ms`),
    ...(account === undefined ? (address === undefined ? [] : [address]) : [printable(account), key ?? '']),
  ];
  return `${timed(words.join(' '))}\n`;
}

const QUIET_MS = 60_000;
const REMEMBERED = 100;

/** Reports a repeated fault once a minute with its count, not at every request. */
export function faultLogger(
  log: Pick<Log, 'fault'>,
): (what: string, error: unknown, fields?: Fields) => void {
  const recent = new Map<string, { at: number; suppressed: number }>();
  return (what, error, fields) => {
    const reason = describeFailure(error);
    const before = recent.get(reason);
    const now = Date.now();
    if (before && now - before.at < QUIET_MS) {
      before.suppressed += 1;
      return;
    }
    if (recent.size >= REMEMBERED) recent.clear();
    recent.set(reason, { at: now, suppressed: 0 });
    const more =
      before && before.suppressed > 0 ? ` (repeated ${before.suppressed} times since the last message)` : '';
    log.fault(`${colours.red(what)} ${reason}${more}`, fields);
  };
}
