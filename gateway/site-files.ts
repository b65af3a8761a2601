/**
 * The documentation page, the description and their assets: files of the snapshot, served without a key and uncounted. The
 * build renders them (build/snapshot/documentation.ts).
 */
import { PREFIX } from '../contract/api.ts';
import type { SiteFile } from '../contract/directory.ts';
import type { ApiError } from './api-error.ts';
import { findProbe } from './health.ts';
import type { GatewayRequest } from './home.ts';
import { type Reply, represented } from './reply.ts';
import { notAllowed, unknownPath } from './routes.ts';
import type { Snapshot } from './snapshot/snapshot.ts';
import { andThen, type MaybePromise } from './maybe-promise.ts';

/** Whether a request may be for a file: paths of the interface never are. */
export function mayBeForFile({ method, target }: Pick<GatewayRequest, 'method' | 'target'>): boolean {
  return !target.startsWith(PREFIX) && (method === 'GET' || method === 'HEAD');
}

/** The snapshot's file at a target's path, if any. */
export function findFile({ directory }: Snapshot, target: string): SiteFile | undefined {
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);
  return directory.files.find((file) => file.path === path);
}

/** Why a request gets no answer: 404, or 405 at the path of a file or probe. GET of a file is answered before. */
export function outsidePrefix(snapshot: Snapshot, { method, target }: GatewayRequest): ApiError {
  const isKnown = findProbe('GET', target) !== null || findFile(snapshot, target) !== undefined;
  return isKnown ? notAllowed(method) : unknownPath();
}

const CHECKED = 'public, max-age=60';
const IMMUTABLE = 'public, max-age=31536000, immutable';

/**
 * 200 with a file, or 304.
 *
 * @throws ApiError 404, ObjectUnreadable
 */
export function replyWithFile(request: GatewayRequest, snapshot: Snapshot): MaybePromise<Reply> {
  const file = findFile(snapshot, request.target);
  if (!file) throw unknownPath();
  const { path, type, hash } = file;
  return andThen(snapshot.read('body', hash), (body) =>
    represented(request, { body, etag: `"${hash}"` }, type, [
      // A path with the hash always has the same bytes.
      ...['Cache-Control', path.includes(hash) ? IMMUTABLE : CHECKED, 'Vary', 'Accept-Encoding'],
      ...securityHeaders(type, snapshot.directory.site.api_url),
    ]),
  );
}

/**
 * The content security policy of the page. Scalar's options turn its connections to other hosts off; the policy also holds if a
 * new version changes what an option does. Scalar creates styles while it runs: hashes do not cover its attributes, and a
 * nonce must be new for each reply, while the page is a file. `img-src` keeps injected styles from leaking the page's content by
 * images, and `connect-src` keeps a key from going elsewhere.
 *
 * @param connect further origins that the page may send requests to
 */
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

/** For files other than pages. */
const NOTHING = ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"];

/**
 * Headers by media type, names and values in turn: those of a page, of a description that pages of any origin may read,
 * or of an asset.
 *
 * @param apiUrl the public address of the service, if known: the page calls it
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
