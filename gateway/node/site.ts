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
  #assets: Assets | undefined;
  /** Of the assets: they outlive snapshots, and so do their compressed forms. */
  readonly #forGood = new Map<string, Kept>();
  #current: { readonly snapshot: Snapshot; readonly files: Promise<ReadonlyMap<string, Kept>> } | undefined;

  /** Whether a request is for the site, and not for the interface. */
  serves(method: string, target: string): boolean {
    const path = pathOf(target);
    return (
      (method === 'GET' || method === 'HEAD') &&
      (path === PAGE_PATH || path === DESCRIPTION_PATH || path.startsWith('/docs/'))
    );
  }

  /**
   * Answers a request that `serves` is true of.
   *
   * @returns false, and nothing is sent, where there is no such file
   * @throws what reading the site's files or compressing them throws, before anything is sent
   */
  async respond(
    message: IncomingMessage,
    response: ServerResponse,
    target: string,
    snapshot: Snapshot,
  ): Promise<boolean> {
    const kept = (await this.#files(snapshot)).get(pathOf(target));
    if (kept) await send(message, response, kept);
    return kept !== undefined;
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
  begun.catch(() => compressed.delete(encoding)); // It is tried again at the next request.
  return begun;
}

function pathOf(target: string): string {
  const mark = target.indexOf('?');
  return mark === -1 ? target : target.slice(0, mark);
}
