/**
 * Content codings (RFC 9110, 12.5.3): which one a client prefers, and the entity tags of coded bodies. A coded body is
 * another representation, so it has a tag of its own (8.8.3.3): that of the body as it is, and a suffix.
 */

/** The codings there are, the better one first. */
const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number];

/**
 * The coding that a client likes best, of those there are; null: none. Where it likes two alike, the one that
 * makes bodies smaller.
 *
 * @param acceptEncoding the header's value
 */
export function preferredCoding(acceptEncoding: string | undefined): Coding | null {
  if (acceptEncoding === undefined) return null;
  let preferred = known.get(acceptEncoding);
  if (preferred === undefined) {
    preferred = chooseCoding(acceptEncoding);
    if (known.size < KNOWN) known.set(acceptEncoding, preferred);
  }
  return preferred;
}

/** Clients send few values, and always the same. */
const known = new Map<string, Coding | null>();
const KNOWN = 100;

const WEIGHT = /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/;

function chooseCoding(acceptEncoding: string): Coding | null {
  const weights = new Map<string, number>();
  for (const item of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    weights.set(name === 'x-gzip' ? 'gzip' : name, WEIGHT.test(weight) ? Number(weight) : 0);
  }
  let best: Coding | null = null;
  // Not to be coded is always acceptable, but preferred only where the client says so.
  let most = weights.get('identity') ?? 0;
  for (const coding of CODINGS) {
    const weight = weights.get(coding) ?? weights.get('*') ?? 0;
    if (weight === 0 || weight < most || (weight === most && best !== null)) continue;
    [best, most] = [coding, weight];
  }
  return best;
}

/** `"abc"` → `"abc-br"` */
export function codedTag(etag: string, coding: Coding): string {
  return `${etag.slice(0, -1)}-${coding}"`;
}

/**
 * The value of If-Match or If-None-Match as the core knows its tags, weak ones and lists too: `"abc-br"` → `"abc"`. The
 * tags of another coding stay, and match nothing.
 */
export function withoutCoding(tags: string | undefined, coding: Coding | null): string | undefined {
  return coding === null ? tags : tags?.replaceAll(`-${coding}"`, '"');
}
