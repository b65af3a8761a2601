/**
 * The files of a snapshot that are served as they are: the documentation page, the description, and their assets. They
 * need no key and are not counted. The build renders them (build/documentation.ts).
 */
import { PREFIX } from '../contract/api.ts';
import type { SiteFile } from '../contract/directory.ts';
import { securityHeaders } from './file-security.ts';
import type { GatewayRequest } from './home.ts';
import { type Reply, represented } from './reply.ts';
import type { Snapshot } from './snapshot/snapshot.ts';
import { andThen, type Soon } from './soon.ts';

/** Whether a request may be for a file: every request for the interface is for none. */
export function mayBeForFile({ method, target }: Pick<GatewayRequest, 'method' | 'target'>): boolean {
  return !target.startsWith(PREFIX) && (method === 'GET' || method === 'HEAD');
}

/** The file at the path of a target; undefined where the snapshot has none there. */
export function findFile({ directory }: Snapshot, target: string): SiteFile | undefined {
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);
  return directory.files.find((file) => file.path === path);
}

const CHECKED = 'public, max-age=60';
const IMMUTABLE = 'public, max-age=31536000, immutable';

/**
 * 200 with the bytes of a file, or 304 where the client has them.
 *
 * @throws ObjectUnreadable
 */
export function replyWithFile(
  request: Pick<GatewayRequest, 'method' | 'header'>,
  { path, type, hash }: SiteFile,
  snapshot: Snapshot,
): Soon<Reply> {
  return andThen(snapshot.read('file', hash), (body) =>
    represented(request, { body, etag: `"${hash}"` }, type, [
      // A path that holds the hash never has other bytes.
      ...['Cache-Control', path.includes(hash) ? IMMUTABLE : CHECKED, 'Vary', 'Accept-Encoding'],
      ...securityHeaders(type, snapshot.directory.site.api_url),
    ]),
  );
}
