import { AwsClient } from 'aws4fetch';
import { splitBucketPointer } from '../../contract/bucket-pointer.ts';
import { parseDirectory } from '../../contract/directory.ts';
import { objectHash } from '../../common/object-hash.ts';
import { hashInPath, type ObjectHash, objectPath } from '../../contract/object-name.ts';
import { parsePointer, type Pointer } from '../../contract/pointer.ts';
import { Lines } from '../../contract/lines.ts';
import { decodeNames } from '../../contract/name-table.ts';
import { listShards, namedByDirectory, namedByEntry, nameTables } from '../../contract/object-kinds.ts';
import { ACCESS_KEY_ID, SECRET_ACCESS_KEY } from '../service/bucket-credentials.ts';
import type { LocalBucket } from '../service/local-bucket.ts';

/** Number of parallel reads. */
const PARALLEL_READS = 64;

/** Objects that were read, by path and ETag, of all buckets. The ETag shows whether they are unchanged. */
const known = new Map<string, { readonly hash: string; readonly text: string }>();

/** The files of a local bucket, read without the code that writes it. */
export interface StoredFiles {
  /** Undefined if there is no such file. */
  read(path: string): Promise<Buffer | undefined>;
  headers(path: string): Promise<Headers>;
  write(path: string, text: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** The paths of all files except packs, sorted. */
  paths(): Promise<string[]>;
  /** The paths of the packs. */
  packs(): Promise<string[]>;
  /** Without the pack next to it. */
  pointerText(): Promise<string>;
  pointer(): Promise<Pointer>;
  /** Problems of the served snapshot, read like a gateway; empty: none. */
  faults(): Promise<string[]>;
}

const LOCAL = { accessKeyId: ACCESS_KEY_ID, secretAccessKey: SECRET_ACCESS_KEY };

/** @param prefix with a trailing slash, or empty */
export function storedFiles(
  { endpoint, bucket }: Pick<LocalBucket, 'endpoint' | 'bucket'>,
  prefix: string,
  credentials = LOCAL,
): StoredFiles {
  const aws = new AwsClient({ ...credentials, service: 's3', region: 'auto', retries: 0 });
  const root = `${endpoint}/${bucket}`;
  const request = async (method: string, path: string, body?: string) => {
    const response = await aws.fetch(`${root}/${prefix}${path}`, { method, ...(body ? { body } : {}) });
    if (!response.ok && response.status !== 404) throw new Error(`${method} ${path}: ${response.status}`);
    return response;
  };
  const read = async (path: string) => {
    const response = await request('GET', path);
    const bytes = Buffer.from(await response.arrayBuffer());
    return response.ok ? bytes : undefined;
  };
  const pointerText = async () => splitBucketPointer((await read('snapshot.json')) ?? Buffer.alloc(0)).text;
  const pointer = async () => parsePointer(await pointerText());

  /** Paths in a folder, with the ETags of their files. */
  const list = async (folder: string) => {
    const files = new Map<string, string>();
    for (let token = ''; ;) {
      const more = token === '' ? '' : `&continuation-token=${encodeURIComponent(token)}`;
      const response = await aws.fetch(
        `${root}?list-type=2&prefix=${encodeURIComponent(prefix + folder)}${more}`,
      );
      const xml = await response.text();
      for (const [, file = ''] of xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
        const [, key = ''] = /<Key>([^<]*)</.exec(file) ?? [];
        const [, etag = ''] = /<ETag>([^<]*)</.exec(file) ?? [];
        files.set(key.slice(prefix.length), etag);
      }
      token = /<NextContinuationToken>([^<]*)</.exec(xml)?.[1] ?? '';
      if (token === '') return files;
    }
  };

  const readObject = async (path: string, etag: string) => {
    const before = known.get(`${path} ${etag}`);
    if (before) return before;
    const bytes = await read(path);
    const object = bytes && { hash: objectHash(bytes), text: bytes.toString() };
    if (object) known.set(`${path} ${etag}`, object);
    return object;
  };

  return {
    read,
    headers: async (path) => (await request('HEAD', path)).headers,
    write: async (path, text) => void (await request('PUT', path, text)),
    remove: async (path) => void (await request('DELETE', path)),
    pointerText,
    pointer,

    paths: async () => [...(await list('')).keys()].filter((path) => !path.startsWith('packs/')).sort(),
    packs: async () => [...(await list('packs/')).keys()].sort(),

    async faults() {
      const { snapshot } = await pointer();
      const there = await list('objects/');
      const texts = new Map<string, string>();
      const faults: string[] = [];
      const load = async (path: string) => {
        if (texts.has(path)) return;
        const etag = there.get(path);
        const object = etag === undefined ? undefined : await readObject(path, etag);
        if (!object) return void faults.push(`${snapshot} lacks ${path}`);
        if (hashInPath(path) !== object.hash) faults.push(`${path} holds ${object.hash}`);
        texts.set(path, object.text);
      };
      const path = objectPath('directory', snapshot);
      await load(path);
      const directory = parseDirectory(texts.get(path) ?? '');
      await Promise.all(listShards(directory).map((hash) => load(objectPath('lines', hash))));
      if (faults.length > 0) return faults;
      const namesIn = (hash: ObjectHash) =>
        decodeNames(new Lines(Buffer.from(texts.get(objectPath('lines', hash)) ?? '')));
      const inTables = nameTables(directory).flatMap(([name, table]) =>
        ('inline' in table ? table.inline : table.shards.flatMap(namesIn)).flatMap((entry) =>
          namedByEntry(name, entry),
        ),
      );
      const named = [...namedByDirectory(directory), ...inTables];
      for (let at = 0; at < named.length; at += PARALLEL_READS) {
        const some = named.slice(at, at + PARALLEL_READS);
        await Promise.all(some.map(({ kind, hash }) => load(objectPath(kind, hash))));
      }
      return faults;
    },
  };
}
