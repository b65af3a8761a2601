import { AwsClient } from 'aws4fetch';
import { parseDirectory } from '../../contract/directory.ts';
import { objectHash } from '../../common/object-hash.ts';
import { hashInPath, objectPath } from '../../contract/object-name.ts';
import { parsePointer, type Pointer } from '../../contract/pointer.ts';
import { objectsOf } from '../../build/snapshots/reachable.ts';
import { ACCESS_KEY_ID, type LocalBucket, SECRET_ACCESS_KEY } from '../service/local-bucket.ts';

/** Files that are read at once. */
const AT_ONCE = 64;

/** A folder of a local bucket, seen with other eyes than those of the code that fills it. */
export interface StoredFiles {
  /** Undefined where there is no such file. */
  read(path: string): Promise<Buffer | undefined>;
  headers(path: string): Promise<Headers>;
  write(path: string, text: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** The paths of all files but packs, sorted. */
  paths(): Promise<string[]>;
  /** The paths of the packs. */
  packs(): Promise<string[]>;
  pointer(): Promise<Pointer>;
  /** What is wrong with the snapshot that is served, read as a gateway would; empty where all is well. */
  faults(): Promise<string[]>;
}

/** @param prefix with a slash at the end, or empty */
export function storedFiles(
  { endpoint, bucket }: Pick<LocalBucket, 'endpoint' | 'bucket'>,
  prefix: string,
): StoredFiles {
  const aws = new AwsClient({
    ...{ accessKeyId: ACCESS_KEY_ID, secretAccessKey: SECRET_ACCESS_KEY },
    ...{ service: 's3', region: 'auto', retries: 0 },
  });
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
  const pointer = async () => parsePointer((await read('snapshot.json'))?.toString() ?? '');

  const list = async (folder: string) => {
    const paths: string[] = [];
    for (let token = ''; ;) {
      const more = token === '' ? '' : `&continuation-token=${encodeURIComponent(token)}`;
      const response = await aws.fetch(
        `${root}?list-type=2&prefix=${encodeURIComponent(prefix + folder)}${more}`,
      );
      const xml = await response.text();
      for (const [, key = ''] of xml.matchAll(/<Key>([^<]*)<\/Key>/g)) paths.push(key.slice(prefix.length));
      token = /<NextContinuationToken>([^<]*)</.exec(xml)?.[1] ?? '';
      if (token === '') return paths.sort();
    }
  };

  return {
    read,
    headers: async (path) => (await request('HEAD', path)).headers,
    write: async (path, text) => void (await request('PUT', path, text)),
    remove: async (path) => void (await request('DELETE', path)),
    pointer,

    paths: async () => (await list('')).filter((path) => !path.startsWith('packs/')),
    packs: () => list('packs/'),

    async faults() {
      const { snapshot } = await pointer();
      const texts = new Map<string, string>();
      const faults: string[] = [];
      const load = async (path: string) => {
        if (texts.has(path)) return;
        const bytes = await read(path);
        if (!bytes) return void faults.push(`${snapshot} lacks ${path}`);
        const hash = objectHash(bytes);
        if (hashInPath(path) !== hash) faults.push(`${path} holds ${hash}`);
        texts.set(path, bytes.toString());
      };
      const directory = objectPath('directory', snapshot);
      await load(directory);
      const { names } = parseDirectory(texts.get(directory) ?? '');
      const shards = Object.values(names).flatMap((table) => ('shards' in table ? table.shards : []));
      await Promise.all(shards.map((hash) => load(objectPath('names', hash))));
      if (faults.length > 0) return faults;
      const named = [...objectsOf((kind, hash) => texts.get(objectPath(kind, hash)) ?? '', snapshot)];
      for (let at = 0; at < named.length; at += AT_ONCE) {
        const some = named.slice(at, at + AT_ONCE);
        await Promise.all(some.map(({ kind, hash }) => load(objectPath(kind, hash))));
      }
      return faults;
    },
  };
}
