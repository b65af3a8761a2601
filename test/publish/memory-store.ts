import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { objectHash } from '../../common/object-hash.ts';
import { splitBucketPointer } from '../../contract/bucket-pointer.ts';
import { objectPath } from '../../contract/object-name.ts';
import { type Pointer, parsePointer } from '../../contract/pointer.ts';
import type { SnapshotStore } from '../../gateway/home.ts';

/** How a store handles conditional writes. */
export type Care =
  /** Like S3: 412, and nothing is written. */
  | 'keeps'
  | 'ignores If-Match'
  | 'ignores If-None-Match'
  | 'ignores both'
  /** 412, but it is written. */
  | 'answers only'
  /** 412 for every condition, even if it holds. */
  | 'refuses all'
  | 'not implemented';

/** A small S3 server in memory, with configurable faults in its conditional writes. */
export interface MemoryStore {
  readonly endpoint: string;
  /** A bucket in it; every name exists. */
  readonly bucket: string;
  care: Care;
  /** By key: `BUCKET/PREFIX/path`. */
  readonly files: Map<string, Buffer>;
  /** The hashes of all files by key, for comparisons: Vitest takes a second for buffers of 4 MB. */
  hashes(): ReadonlyMap<string, string>;
  /** Methods and keys of all requests. */
  readonly seen: string[];
  pointer(prefix: string): Pointer;
  close(): Promise<void>;
}

/** The timestamp of files that a test adds directly. */
const LONG_AGO = new Date('2026-01-01T00:00:00Z');

export async function startMemoryStore(): Promise<MemoryStore> {
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  /** The timestamp of files that arrive over HTTP. */
  const written = new WeakMap<Buffer, Date>();
  const store: MemoryStore = {
    endpoint: `http://127.0.0.1:${port}`,
    bucket: 'memory',
    care: 'keeps',
    files: new Map(),
    hashes: () => new Map(Array.from(store.files, ([key, bytes]) => [key, objectHash(bytes)])),
    seen: [],
    pointer: (prefix) =>
      parsePointer(splitBucketPointer(store.files.get(`${prefix}/snapshot.json`) ?? Buffer.alloc(0)).text),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return store;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', headers } = request;
    const { pathname, searchParams } = new URL(request.url ?? '/', store.endpoint);
    const key = decodeURIComponent(pathname.slice(1));
    store.seen.push(`${method} ${key}`);
    const end = (status: number, body: string | Buffer = '', more: Record<string, string> = {}) =>
      response.writeHead(status, more).end(body);

    if (method === 'POST') {
      const named = Array.from(
        Buffer.concat(chunks)
          .toString()
          .matchAll(/<Key>([^<]*)</g),
        ([, path]) => path,
      );
      if (named.length > 1000) return void end(400, '<Error><Code>MalformedXML</Code></Error>');
      for (const path of named) store.files.delete(`${key}/${path}`);
      return void end(200, '<DeleteResult/>');
    }
    if (searchParams.has('list-type')) return void end(200, listing(key, searchParams.get('prefix') ?? ''));
    if (method === 'DELETE') {
      store.files.delete(key);
      return void end(204);
    }
    const stored = store.files.get(key);
    if (method === 'GET') {
      if (!stored) return void end(404, '<Error><Code>NoSuchKey</Code></Error>');
      const etag = etagOf(stored);
      return void (headers['if-none-match'] === etag ? end(304, '', { etag }) : end(200, stored, { etag }));
    }
    const conditions = [headers['if-match'], headers['if-none-match']];
    if (store.care === 'not implemented' && conditions.some((condition) => condition !== undefined)) {
      return void end(501, '<Error><Code>NotImplemented</Code></Error>');
    }
    const holds = isToBeWritten(stored, headers['if-match'], headers['if-none-match']);
    const body = Buffer.concat(chunks);
    if (holds || store.care === 'answers only') {
      store.files.set(key, body);
      written.set(body, new Date());
    }
    if (!holds) return void end(412, '<Error><Code>PreconditionFailed</Code></Error>');
    end(200, '', { etag: etagOf(body) });
  }

  function isToBeWritten(stored: Buffer | undefined, match?: string, noneMatch?: string): boolean {
    if (store.care === 'refuses all' && (match ?? noneMatch) !== undefined) return false;
    const ignores = (header: string) => store.care === `ignores ${header}` || store.care === 'ignores both';
    if (match !== undefined && !ignores('If-Match')) return stored !== undefined && etagOf(stored) === match;
    if (noneMatch !== undefined && !ignores('If-None-Match')) return stored === undefined;
    return true;
  }

  function listing(bucket: string, prefix: string): string {
    const contents = [...store.files]
      .filter(([key]) => key.startsWith(`${bucket}/${prefix}`))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(
        ([key, bytes]) =>
          `<Contents><Key>${key.slice(bucket.length + 1)}</Key><Size>${bytes.length}</Size>` +
          `<ETag>&quot;${etagOf(bytes).slice(1, -1)}&quot;</ETag>` +
          `<LastModified>${(written.get(bytes) ?? LONG_AGO).toISOString()}</LastModified></Contents>`,
      );
    return `<ListBucketResult>${contents.join('')}<IsTruncated>false</IsTruncated></ListBucketResult>`;
  }
}

const etags = new WeakMap<Buffer, string>();

function etagOf(bytes: Buffer): string {
  const known = etags.get(bytes) ?? `"${createHash('md5').update(bytes).digest('hex')}"`;
  etags.set(bytes, known);
  return known;
}

/** The store of a gateway that reads a bucket's prefix. @param opened called with the kind of each object that is read */
export function snapshotsIn(
  store: MemoryStore,
  prefix: string,
  opened: (kind: string) => unknown = () => undefined,
): SnapshotStore {
  const read = (path: string) => {
    const bytes = store.files.get(`${store.bucket}/${prefix}/${path}`);
    return bytes ? Uint8Array.from(bytes) : null;
  };
  return {
    readPointer: async () => splitBucketPointer(read('snapshot.json') ?? new Uint8Array()).text,
    async readObject(kind, hash) {
      opened(kind);
      return read(objectPath(kind, hash));
    },
    hashObject: objectHash,
  };
}
