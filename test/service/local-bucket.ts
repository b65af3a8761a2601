import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPlatform } from './local-platform.ts';

/** A local bucket of Cloudflare's R2, with its S3 API. */
export interface LocalBucket {
  /** For `--endpoint`. */
  readonly endpoint: string;
  /** Its name, for `--to s3://BUCKET`. */
  readonly bucket: string;
  close(): Promise<void>;
}

const SCRIPT = `export default {
  fetch: () => new Response('Here is a bucket alone.', { status: 404 }),
};`;

/** Starts an empty bucket, without a Worker. */
export async function startLocalBucket(bucket = 'local-bucket'): Promise<LocalBucket> {
  const folder = mkdtempSync(join(tmpdir(), 'offprint-bucket-'));
  const { endpoint, close } = await startPlatform({ script: SCRIPT, bucket, folder });
  return {
    endpoint,
    bucket,
    async close() {
      await close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
