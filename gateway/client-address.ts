/**
 * The address that a request without a key counts against. Homes provide the peer, and hash the result
 * before storing it.
 */
import ipaddr from 'ipaddr.js';

/**
 * The client behind the trusted proxies.
 *
 * @param peer the address that connected
 * @param forwardedFor `X-Forwarded-For`: each proxy appends its peer; some add the port
 * @param trustedProxies the number of own proxies in front; entries before theirs are not trusted
 * @returns the peer if the relevant entry is no address
 */
export function clientAddress(
  peer: string,
  forwardedFor: string | undefined,
  trustedProxies: number,
): string {
  if (trustedProxies === 0 || forwardedFor === undefined) return peer;
  const client = fromEnd(forwardedFor, trustedProxies).trim();
  return parse(client) === null ? peer : client;
}

/** An entry of a list, counted from its end; the first if there are fewer. The rest, which clients write, is not read. */
function fromEnd(list: string, count: number): string {
  const comma = list.lastIndexOf(',');
  return count === 1 || comma < 0 ? list.slice(comma + 1) : fromEnd(list.slice(0, comma), count - 1);
}

/**
 * The unit that is counted: an IPv4 address, or the first 64 bits of an IPv6 address, the least that one customer gets
 * (RFC 6177). IPv6 addresses that represent an IPv4 address count as that one: mapped (RFC 4291), NAT64 (RFC 6052) and
 * 6to4 (RFC 3056), where one address would otherwise be 65,536 networks.
 *
 * @param address with or without brackets, port and zone
 * @returns a canonical text: `203.0.113.9`, `2001:db8:0:7::/64`; `none` for anything else
 */
export function countedAddress(address: string): string {
  const parsed = parse(address);
  if (parsed === null) return 'none';
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const { parts } = parsed;
  const ipv4 = STANDS_FOR_IPV4.find(({ prefix }) => prefix.every((part, i) => parts[i] === part));
  if (ipv4) return new ipaddr.IPv4(parsed.toByteArray().slice(2 * ipv4.at, 2 * ipv4.at + 4)).toString();
  const network = parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}

/** Prefixes before an embedded IPv4 address, and the index of its first group. */
const STANDS_FOR_IPV4 = [
  { prefix: [0, 0, 0, 0, 0, 0xffff], at: 6 },
  { prefix: [0x64, 0xff9b, 0, 0, 0, 0], at: 6 },
  { prefix: [0x2002], at: 1 },
];

const WITH_PORT = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/;

/**
 * Parses an address strictly: IPv4 has four decimal numbers without leading zeros, which some programs read as octal. So no
 * address has two names.
 */
function parse(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const [, inBrackets, ipv4] = WITH_PORT.exec(text) ?? [];
  const bare = (inBrackets ?? ipv4 ?? text).replace(/%.*$/s, ''); // Without the zone of a local address.
  const tail = bare.lastIndexOf(':') + 1;
  const dotted = ipaddr.IPv4.isValidFourPartDecimal(bare.slice(tail))
    ? ipaddr.IPv4.parse(bare.slice(tail))
    : null;
  if (tail === 0) return dotted;
  // The library reads every address with an IPv4 tail as a mapped one, so the tail is converted to hexadecimal.
  const hex = dotted
    ? bare.slice(0, tail) + dotted.toIPv4MappedAddress().toNormalizedString().slice(15)
    : bare;
  return !hex.includes('.') && ipaddr.IPv6.isValid(hex) ? ipaddr.IPv6.parse(hex) : null;
}
