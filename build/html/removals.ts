/**
 * What the sanitiser removed from articles although a reader would miss it, by kind: `frame` with the host if it has one,
 * `form field`, `object`, `drawing`, `script`.
 */
export type Removals = Readonly<Record<string, number>>;

/** A kind of removal, over all articles. */
export interface Removed {
  readonly kind: string;
  readonly count: number;
  /** Articles with at least one. */
  readonly posts: number;
  /** Of frames: their hosts, the most frequent first. */
  readonly hosts: readonly string[];
}

const KINDS: Readonly<Record<string, string>> = {
  ...{ input: 'form field', select: 'form field', textarea: 'form field', button: 'form field' },
  ...{ object: 'object', embed: 'object', applet: 'object' },
  ...{ svg: 'drawing', canvas: 'drawing', script: 'script' },
};

/**
 * The kind of an element that is removed; undefined: nobody misses it.
 *
 * @param attributes with absolute addresses
 */
export function removalOf(tag: string, attributes: Readonly<Record<string, string>>): string | undefined {
  if (attributes['type'] === 'hidden') return undefined;
  if (tag !== 'iframe') return KINDS[tag];
  const host = URL.parse(attributes['src'] ?? '')?.hostname;
  return host ? `frame ${host}` : 'frame';
}

/** Sums up the removals of articles by kind, the most frequent first. */
export function sumOf(articles: Iterable<Removals>): Removed[] {
  const kinds = new Map<string, { count: number; posts: number; hosts: Map<string, number> }>();
  for (const removals of articles) {
    const seen = new Set<string>();
    for (const [what, count] of Object.entries(removals)) {
      const [kind, host] = what.startsWith('frame ') ? ['frame', what.slice(6)] : [what];
      const sum = kinds.get(kind) ?? { count: 0, posts: 0, hosts: new Map<string, number>() };
      kinds.set(kind, sum);
      sum.count += count;
      if (host !== undefined) sum.hosts.set(host, (sum.hosts.get(host) ?? 0) + count);
      if (!seen.has(kind)) sum.posts += 1;
      seen.add(kind);
    }
  }
  return [...kinds]
    .map(([kind, { count, posts, hosts }]) => ({ kind, count, posts, hosts: byCount(hosts) }))
    .toSorted((a, b) => b.count - a.count || (a.kind < b.kind ? -1 : 1));
}

function byCount(hosts: ReadonlyMap<string, number>): string[] {
  return [...hosts].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([host]) => host);
}
