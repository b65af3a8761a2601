import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPlatform } from './local-platform.ts';

/** A bucket of Cloudflare's R2 on this machine, with its S3 API. */
export interface LocalBucket {
  /** For `--endpoint`. */
  readonly endpoint: string;
  /** Its name, for `--to s3://BUCKET`. */
  readonly bucket: string;
  /** Puts files by key, many times faster than by the S3 API. */
  fill(files: readonly (readonly [key: string, text: string])[]): Promise<void>;
  close(): Promise<void>;
}

/** Serves nothing, but fills its bucket. */
const FILLER = `export default {
  async fetch(request, { BUCKET }) {
    if (request.method !== 'POST') return new Response('Here is a bucket alone.', { status: 404 });
    await Promise.all((await request.json()).map(([key, text]) => BUCKET.put(key, text)));
    return new Response();
  },
};`;

/** Starts an empty bucket, without a Worker that would serve from it. */
export async function startLocalBucket(bucket = 'local-bucket'): Promise<LocalBucket> {
  const folder = mkdtempSync(join(tmpdir(), 'offprint-bucket-'));
  const { url, endpoint, close } = await startPlatform({ script: FILLER, bucket, folder });
  return {
    ...{ endpoint, bucket },
    async fill(files) {
      const { ok, status } = await fetch(url, { method: 'POST', body: JSON.stringify(files) });
      if (!ok) throw new Error(`The bucket could not be filled: ${status}`);
    },
    async close() {
      await close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
