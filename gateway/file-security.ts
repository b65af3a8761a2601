/** What a served file may load and do. Each source, and why it is needed, is explained in decision 51. */

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
export function securityHeaders(type: string, apiUrl: string | undefined): readonly string[] {
  if (type.startsWith('application/json')) return [...COMMON, ...NOTHING, 'Access-Control-Allow-Origin', '*'];
  if (!type.startsWith('text/html')) return [...COMMON, ...NOTHING];
  return [
    ...COMMON,
    ...['Content-Security-Policy', pagePolicy(apiUrl === undefined ? '' : ` ${new URL(apiUrl).origin}`)],
    ...['Cross-Origin-Opener-Policy', 'same-origin'],
    ...['Permissions-Policy', 'camera=(), geolocation=(), microphone=()'],
  ];
}
