import { hash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { readTextFile } from '../../common/output-files.ts';
import { join } from 'node:path';
import { codeOf } from '../../common/thrown.ts';
import { Gateway } from '../gateway.ts';
import { type KeyFiles, keyCache } from '../key-cache.ts';
import { CurrentSnapshot } from '../snapshot/current.ts';
import { newestSnapshot } from '../snapshot/newest.ts';
import { PackedStore } from '../snapshot/packed-store.ts';
import type { UsageRecorder } from '../usage.ts';
import { createEncode } from './content-coding.ts';
import { DiskSnapshotStore } from './disk-snapshot-store.ts';
import { createHttpServer, type HttpServerParts } from './http-server.ts';
import type { ServerCounter } from './server-counter.ts';
import type { S3Bucket } from './s3-bucket.ts';
import { SqliteQuotaCounter } from './sqlite-quota-counter.ts';

const KEYS_BELIEVED_MS = 10_000;
/** In a bucket: each read costs. */
const BUCKET_KEYS_BELIEVED_MS = 25_000;
const SIZES = { objectBytes: 24 * 2 ** 20, answerBytes: 20 * 2 ** 20 };
const CODED_BYTES = 16 * 2 ** 20;

export interface OneMachineOptions extends Pick<
  HttpServerParts,
  'trustedProxies' | 'reporter' | 'accessLog' | 'isStopping'
> {
  /** The output folder. */
  readonly out: string;
  /** Where snapshots and keys are; undefined: in the output folder. */
  readonly bucket?: S3Bucket | undefined;
  /** Null: usage is not recorded. */
  readonly usage?: UsageRecorder | null;
  /** Counts elsewhere; undefined: in the output folder's database. */
  readonly quotas?: ServerCounter | undefined;
}

/** The database of counts in an output folder. */
export function quotaPath(out: string): string {
  return join(out, 'state', 'quota.db');
}

/**
 * The gateway on one machine: the output folder, counts, and an HTTP server. The caller starts listening and
 * refreshes `current`.
 *
 * @throws QuotaInUse, QuotaUnusable
 */
export function createOneMachine(options: OneMachineOptions) {
  const { out, bucket, reporter, usage } = options;
  const quotas: ServerCounter = options.quotas ?? new SqliteQuotaCounter(quotaPath(out), Date.now);
  const current = new CurrentSnapshot(bucket ? new PackedStore(bucket) : new DiskSnapshotStore(out), SIZES);
  const keys = bucket
    ? keyCache(bucket, BUCKET_KEYS_BELIEVED_MS)
    : keyCache(diskKeyFiles(out), KEYS_BELIEVED_MS);
  const gateway = new Gateway(keys, quotas, reporter, usage);
  const encode = createEncode(CODED_BYTES);
  const newest = newestSnapshot(() => current.refresh(), { now: () => performance.now(), wait });
  const server = createHttpServer({ ...options, gateway, current, newest, quotas, encode });
  return { server, current, quotas };
}

/** Key files in the output folder. Read synchronously: rare, and cheaper than a promise for a small file. */
function diskKeyFiles(out: string): KeyFiles {
  return {
    hashKey: (key) => hash('sha256', key, 'hex'),
    read(path) {
      try {
        return { text: readTextFile(join(out, path)) };
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return null;
        throw error;
      }
    },
  };
}
