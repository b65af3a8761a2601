/**
 * Notifies other services of a publish, such as the build of a static site: `webhooks` in offprint.json. Requests are
 * signed by https://www.standardwebhooks.com. Failed deliveries are retried on the schedule, with all changes since the
 * last delivery.
 */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPointer } from '../../build/output/pointer-file.ts';
import { ExplainedError } from '../../common/errors.ts';
import { messageOf } from '../../common/thrown.ts';
import { decodeChanges, type TermListName, TERM_LISTS } from '../../contract/change-log.ts';
import { isNumber, isText, recordOf } from '../../contract/json.ts';
import { Lines } from '../../contract/lines.ts';
import { objectPath } from '../../contract/object-name.ts';
import type { Pointer } from '../../contract/pointer.ts';
import { Results } from '../../data/results.ts';
import type { Job, JobContext } from './jobs.ts';

/** The body of a request. */
interface PublishedEvent {
  readonly type: 'snapshot.published';
  /** RFC 3339, UTC. */
  readonly timestamp: string;
  readonly data: {
    readonly snapshot: string;
    readonly posts: number;
    /** Slugs of articles added, changed or removed since the last delivery; null: too many, or unknown. */
    readonly articles: readonly string[] | null;
    readonly lists: Readonly<Record<TermListName, boolean>>;
  };
}

/** The last delivery to a receiver. */
interface Delivered {
  /** RFC 3339, UTC. */
  readonly at: string;
  readonly snapshot: string;
  readonly epoch: string;
  readonly number: number;
}

/** By address. */
export const DELIVERIES = new Results<Delivered>(
  'webhooks',
  recordOf<Delivered>({ at: isText, snapshot: isText, epoch: isText, number: isNumber }),
);

/** Above this number no slugs are listed: receivers read `GET /changes`. */
const MOST_SLUGS = 1000;
const TIMEOUT_MS = 10_000;

/**
 * The key of signatures, from `OFFPRINT_WEBHOOK_SECRET`: `whsec_` and 24 to 64 bytes in Base64.
 *
 * @throws ExplainedError
 */
export function webhookSecret(): Buffer {
  const [, encoded = ''] = /^whsec_([\w+/=-]+)$/.exec(process.env['OFFPRINT_WEBHOOK_SECRET'] ?? '') ?? [];
  const key = Buffer.from(encoded, 'base64');
  if (key.length >= 24 && key.length <= 64) return key;
  throw new ExplainedError(
    'The configuration has "webhooks", so OFFPRINT_WEBHOOK_SECRET must be "whsec_" and 24 to 64 bytes in Base64: ' +
      'echo "whsec_$(openssl rand -base64 32)"',
  );
}

/**
 * Delivers each publish that was not yet delivered.
 *
 * @param available the snapshot available to all readers; undefined: none yet
 */
export function webhooks(
  { options: { out }, service: { log }, stopping }: JobContext,
  urls: readonly string[],
  secret: Buffer,
  available: () => string | undefined,
): Job {
  const known = DELIVERIES.read(out);
  DELIVERIES.forget(out, ...known.map(({ subject }) => subject).filter((url) => !urls.includes(url)));
  // In memory, so that nothing is delivered again and again if it cannot be recorded.
  const delivered = new Map(known.map(({ subject, report }) => [subject, report]));
  const waiting = () => {
    const snapshot = available();
    return urls.filter((url) => snapshot !== undefined && delivered.get(url)?.snapshot !== snapshot);
  };
  return {
    kind: 'webhook',
    fault: 'webhooks',
    label: 'not notified:',
    isDue: () => waiting().length > 0,
    async run() {
      const pointer = readPointer(out);
      if (!pointer || pointer.snapshot !== available()) return; // A newer one follows.
      const results = await Promise.allSettled(
        waiting().map(async (url) => {
          const event = eventFor(out, pointer, delivered.get(url));
          if (event) {
            await deliver(url, messageId(pointer), event, secret, stopping);
            log.info(`notified ${new URL(url).host} of snapshot ${pointer.snapshot}`);
          }
          const { snapshot, changes: record } = pointer;
          const at = new Date().toISOString();
          const delivery = { at, snapshot, epoch: record?.epoch ?? '', number: record?.number ?? 0 };
          delivered.set(url, delivery);
          DELIVERIES.recordSuccess(out, delivery, url);
        }),
      );
      const failed = results.find((result) => result.status === 'rejected');
      if (failed) throw failed.reason;
    },
  };
}

/** @returns null if readers see no difference, such as after a change of view counts */
function eventFor(out: string, pointer: Pointer, last: Delivered | null | undefined): PublishedEvent | null {
  const { snapshot, posts, changes: record } = pointer;
  const since = record && last?.epoch === record.epoch && last.number >= record.since ? last.number : null;
  const slugs = new Set<string>();
  if (record && since !== null) {
    for (const { hash, newest } of record.parts) {
      if (newest <= since) continue;
      const lines = new Lines(readFileSync(join(out, objectPath('lines', hash))));
      for (const [number, slug] of decodeChanges(lines)) if (number > since) slugs.add(slug);
    }
  }
  const changed = (list: TermListName) => since === null || (record?.lists[list] ?? 0) > since;
  const lists = { categories: changed('categories'), tags: changed('tags'), authors: changed('authors') };
  if (since !== null && slugs.size === 0 && !TERM_LISTS.some((list) => lists[list])) return null;
  const articles = since === null || slugs.size > MOST_SLUGS ? null : [...slugs].sort();
  const timestamp = new Date().toISOString();
  return { type: 'snapshot.published', timestamp, data: { snapshot, posts, articles, lists } };
}

/**
 * The same for each attempt, so that receivers can deduplicate. A snapshot may be published again after a rollback, with
 * another number in the record of changes.
 */
function messageId({ snapshot, changes }: Pointer): string {
  return `msg_${snapshot}_${changes?.number ?? 0}`;
}

/** @throws ExplainedError */
async function deliver(
  url: string,
  id: string,
  event: PublishedEvent,
  secret: Buffer,
  signal: AbortSignal,
): Promise<void> {
  const body = JSON.stringify(event);
  const time = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', secret).update(`${id}.${time}.${body}`).digest('base64');
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(time),
    'webhook-signature': `v1,${signature}`,
  };
  const stop = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const failed = (reason: string) =>
    new ExplainedError(
      `The webhook ${new URL(url).host} was not delivered: ${reason}. Offprint retries at the next check.`,
    );
  const response = await fetch(url, { method: 'POST', headers, body, signal: stop, redirect: 'error' }).catch(
    (error: unknown) => {
      throw failed(messageOf(error instanceof Error ? (error.cause ?? error) : error));
    },
  );
  await response.body?.cancel();
  if (!response.ok) throw failed(`it answered with ${response.status}`);
}
