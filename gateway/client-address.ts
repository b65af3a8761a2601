/**
 * Which address a request without a key counts against (design, "address"). Pure: a home says who
 * connected, and hashes what comes out of here before it is kept anywhere.
 */

/**
 * The client behind the proxies that are believed.
 *
 * @param peer who connected to us
 * @param forwardedFor `X-Forwarded-For`, to which each proxy appends whom it saw
 * @param trustedProxies how many proxies stand before us; what came in from farther away is not believed
 */
export function clientAddress(
  peer: string,
  forwardedFor: string | undefined,
  trustedProxies: number,
): string {
  if (trustedProxies === 0 || forwardedFor === undefined) return peer;
  const hops = forwardedFor.split(',').map((hop) => hop.trim());
  const client = hops[Math.max(0, hops.length - trustedProxies)] ?? '';
  return isAddress(client) ? client : peer;
}

/**
 * What is counted as one: an IPv4 address, or the first 64 bits of an IPv6 address, which is what one
 * customer gets at least (RFC 6177). IPv4 written as IPv6 is IPv4.
 *
 * @returns a canonical text: `203.0.113.9`, `2001:db8:0:7::/64`
 */
export function countedAddress(address: string): string {
  const bare = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  if (!bare.includes(':')) return bare;
  const groups = ipv6Groups(bare);
  if (groups === null) return bare;
  const isIpv4 = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isIpv4) {
    const [high = 0, low = 0] = groups.slice(6);
    return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
  }
  const network = groups.slice(0, 4).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}

function isAddress(text: string): boolean {
  const bare = text.replace(/^\[|\]$/g, '');
  return bare.includes(':') ? ipv6Groups(bare) !== null : isIpv4(bare);
}

function isIpv4(text: string): boolean {
  const parts = text.split('.');
  return parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255);
}

/** The eight groups of an IPv6 address (RFC 4291, 2.2), or null. */
function ipv6Groups(text: string): number[] | null {
  const lastColon = text.lastIndexOf(':');
  const tail = text.slice(lastColon + 1);
  let hex = text;
  if (tail.includes('.')) {
    if (!isIpv4(tail)) return null;
    const [a = 0, b = 0, c = 0, d = 0] = tail.split('.').map(Number);
    hex = `${text.slice(0, lastColon + 1)}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  }
  const halves = hex.split('::');
  if (halves.length > 2) return null;
  const [head = [], rest = []] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const missing = 8 - head.length - rest.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return null;
  const groups = [...head, ...Array.from({ length: missing }, () => '0'), ...rest];
  return groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))
    ? groups.map((group) => parseInt(group, 16))
    : null;
}
