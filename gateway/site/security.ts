/** What the page may load and do. Each source, and why it is needed, is explained in decision 51. */

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

const COMMON = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
} as const;

/**
 * Headers of the page.
 *
 * @param apiUrl the public address of the service, which the page calls where it is known
 */
export function pageSecurity(apiUrl: string | undefined): Readonly<Record<string, string>> {
  return {
    ...COMMON,
    'Content-Security-Policy': pagePolicy(apiUrl === undefined ? '' : ` ${new URL(apiUrl).origin}`),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  };
}

/** Headers of everything else: opened by itself, it may load and do nothing. */
export const FILE_SECURITY: Readonly<Record<string, string>> = {
  ...COMMON,
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
};
