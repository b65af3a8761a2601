/**
 * The files of a snapshot that are served as they are: the documentation page, the description, and their assets. They
 * need no key and are not counted. The build renders them (build/documentation.ts).
 */
import { PREFIX } from '../contract/api.ts';
import type { SiteFile } from '../contract/directory.ts';
import type { GatewayRequest } from './home.ts';
import { type Reply, represented } from './reply.ts';
import { unknownPath } from './routes.ts';
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
 * @throws ApiError 404 where the snapshot has none, ObjectUnreadable
 */
export function replyWithFile(request: GatewayRequest, snapshot: Snapshot): Soon<Reply> {
  const file = findFile(snapshot, request.target);
  if (!file) throw unknownPath();
  const { path, type, hash } = file;
  return andThen(snapshot.read('file', hash), (body) =>
    represented(request, { body, etag: `"${hash}"` }, type, [
      // A path that holds the hash never has other bytes.
      ...['Cache-Control', path.includes(hash) ? IMMUTABLE : CHECKED, 'Vary', 'Accept-Encoding'],
      ...securityHeaders(type, snapshot.directory.site.api_url),
    ]),
  );
}

/*
 * What a served file may load and do. Each source, and why it is needed, is explained in decision 51.
 */

/** @param connect where else than to its own origin the page may send requests */
const pagePolicy = (connect: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    `connect-src 'self'${connect}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const COMMON = ['X-Content-Type-Options', 'nosniff', 'Referrer-Policy', 'no-referrer'];

/** Opened by itself, a file that is no page may load and do nothing. */
const NOTHING = ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"];

/**
 * Headers by media type, names and values in turn: those of a page, of a description that pages of any origin may read,
 * or of an asset.
 *
 * @param apiUrl the public address of the service, which the page calls where it is known
 */
function securityHeaders(type: string, apiUrl: string | undefined): readonly string[] {
  if (type.startsWith('application/json')) return [...COMMON, ...NOTHING, 'Access-Control-Allow-Origin', '*'];
  if (!type.startsWith('text/html')) return [...COMMON, ...NOTHING];
  return [
    ...COMMON,
    ...['Content-Security-Policy', pagePolicy(apiUrl === undefined ? '' : ` ${new URL(apiUrl).origin}`)],
    ...['Cross-Origin-Opener-Policy', 'same-origin'],
    ...['Permissions-Policy', 'camera=(), geolocation=(), microphone=()'],
  ];
}
