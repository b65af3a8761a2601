import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { programFile } from '../common/program-files.ts';
import { isRecord, parseJson } from '../contract/json.ts';

/** Settings to run the Worker locally. */
export interface LocalWorker {
  readonly bucket: string;
  /** Empty, or the PREFIX of `s3://BUCKET/PREFIX`. */
  readonly prefix: string;
  /** Credentials for Wrangler's S3 API of the bucket. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** The path of a bundle, to run instead of the sources. */
  readonly bundle?: string;
}

/** `wrangler.jsonc` as an object. Each comment in it has its own line. */
export function readWorkerConfig(): Readonly<Record<string, unknown>> {
  const text = readFileSync(programFile('wrangler.jsonc'), 'utf8');
  const json = text.replace(/^\s*\/\/.*$/gm, '').replace(/,(?=\s*[}\]])/g, '');
  return parseJson(json, isRecord, 'a configuration of Wrangler');
}

/** Writes the deployed configuration, changed to use a local bucket, and a secret next to it. */
export function writeLocalConfig(path: string, { bucket, prefix, credentials, bundle }: LocalWorker): void {
  const { $schema: _, ...config } = readWorkerConfig();
  const local = {
    ...config,
    main: bundle ?? programFile(String(config['main'])),
    no_bundle: bundle !== undefined,
    vars: { BUCKET_PREFIX: prefix },
    r2_buckets: [
      {
        binding: 'BUCKET',
        bucket_name: bucket,
        local_dev: { experimental_s3_credentials: credentials },
      },
    ],
  };
  writeFileSync(path, JSON.stringify(local));
  writeFileSync(join(dirname(path), '.dev.vars'), 'ADDRESS_SECRET="for this machine alone"\n');
}
