/** The site on one machine: kept in memory for the snapshot that is served, compressed once. */
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isUnmodified } from '../conditional.ts';
import { type Coding, preferredCoding } from '../content-coding.ts';
import { type Assets, DESCRIPTION_PATH, makeSite, PAGE_PATH, type SiteFile } from '../site/site.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { compress } from './compress.ts';
import { readAssets } from './site-assets.ts';

/** A file with what is said of it, and its compressed forms once somebody wanted them. */
interface Kept {
  readonly file: SiteFile;
  readonly etag: string;
  readonly compressed: Map<Coding, Promise<Uint8Array>>;
}

export class NodeSite {
  readonly #failed: (error: unknown, message: IncomingMessage) => void;
  #assets: Assets | undefined;
  /** Of the assets: they outlive snapshots, and so do their compressed forms. */
  readonly #forGood = new Map<string, Kept>();
  #current: { readonly snapshot: Snapshot; readonly files: Promise<ReadonlyMap<string, Kept>> } | undefined;

  /** @param failed is told of what should not have happened */
  constructor(failed: (error: unknown, message: IncomingMessage) => void) {
    this.#failed = failed;
  }

  /** Whether a request is for the site, and not for the interface. */
  serves(message: IncomingMessage): boolean {
    const path = pathOf(message);
    return (
      (message.method === 'GET' || message.method === 'HEAD') &&
      (path === PAGE_PATH || path === DESCRIPTION_PATH || path.startsWith('/docs/'))
    );
  }

  /**
   * Answers a request that `serves` is true of. Never throws: what should not happen is reported.
   *
   * @returns false, and nothing is sent, where there is no such file
   */
  async respond(message: IncomingMessage, response: ServerResponse, snapshot: Snapshot): Promise<boolean> {
    try {
      const kept = (await this.#files(snapshot)).get(pathOf(message));
      if (kept) await send(message, response, kept);
      return kept !== undefined;
    } catch (error) {
      this.#failed(error, message);
      if (!response.headersSent) response.writeHead(500);
      response.end();
      return true;
    }
  }

  #files(snapshot: Snapshot): Promise<ReadonlyMap<string, Kept>> {
    if (this.#current?.snapshot === snapshot) return this.#current.files;
    const files = this.#make(snapshot);
    const current = { snapshot, files };
    this.#current = current;
    // What could not be made is tried again at the next request.
    files.catch(() => {
      if (this.#current === current) this.#current = undefined;
    });
    return files;
  }

  async #make(snapshot: Snapshot): Promise<ReadonlyMap<string, Kept>> {
    this.#assets ??= await readAssets();
    const files = await makeSite(snapshot, this.#assets);
    return new Map(files.map((file) => [file.path, this.#keep(file)]));
  }

  #keep(file: SiteFile): Kept {
    const known = this.#forGood.get(file.path);
    if (known) return known;
    const etag = `"${createHash('sha256').update(file.body).digest('base64url').slice(0, 22)}"`;
    const kept = { file, etag, compressed: new Map() };
    if (file.path.startsWith('/docs/')) this.#forGood.set(file.path, kept);
    return kept;
  }
}

/** 200 or 304, with a body in the encoding that the client likes best. */
async function send(message: IncomingMessage, response: ServerResponse, kept: Kept): Promise<void> {
  const { file, etag } = kept;
  // Weak: the compressed forms go by the same name (RFC 9110, 8.8.1).
  const headers = { ...file.headers, ETag: `W/${etag}`, Vary: 'Accept-Encoding' };
  if (isUnmodified(message.headers['if-none-match'], etag)) {
    response.writeHead(304, headers).end();
    return;
  }
  const encoding = preferredCoding(String(message.headers['accept-encoding'] ?? ''));
  const body = encoding === null ? file.body : await compressedBy(encoding, kept);
  response.writeHead(200, {
    ...headers,
    'Content-Length': body.length,
    ...(encoding === null ? {} : { 'Content-Encoding': encoding }),
  });
  response.end(message.method === 'HEAD' ? undefined : body);
}

function compressedBy(encoding: Coding, { file, compressed }: Kept): Promise<Uint8Array> {
  const done = compressed.get(encoding);
  if (done) return done;
  const begun = compress(encoding, file.body);
  compressed.set(encoding, begun);
  return begun;
}

function pathOf({ url = '/' }: IncomingMessage): string {
  const mark = url.indexOf('?');
  return mark === -1 ? url : url.slice(0, mark);
}
