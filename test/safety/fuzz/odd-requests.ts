/**
 * Requests of faulty or hostile clients. If their framing is sound, each has exactly one answer.
 */
import type { Random } from '../../../bench/generate/random.ts';
import { PREFIX } from '../../../contract/api.ts';
import type { Caller } from './callers.ts';
import { type Piece, plainRequest } from './plain-requests.ts';

/** One odd request. */
export function oddRequest(random: Random, caller: Caller): Piece {
  return random.pick(MAKERS)(random, caller);
}

type Maker = (random: Random, caller: Caller) => Piece;

function piece(answers: Piece['answers'], bytes: string | Buffer): Piece {
  const buffer = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes;
  return { bytes: buffer, answers, counts: undefined, fault: () => null };
}

/** A request with sound framing: its target, method and headers are odd, but its end is clear. */
function framed(
  caller: Caller,
  target: string,
  { method = 'GET', lines = [] as string[], body = '' } = {},
): Piece {
  const head = [`${method} ${target} HTTP/1.1`, 'Host: a', caller.header, ...lines];
  // The connection may end after an invalid target or host, or too many lines.
  const isSound =
    /^[\x21-\x7e]+$/.test(target) &&
    !/^https?:\/\/(?:[^/?#]*@|[/?#]|$)/i.test(target) &&
    !lines.some((line) => /^host:/i.test(line)) &&
    head.length <= 1_000;
  return piece(isSound ? 'one' : 'any', `${head.join('\r\n')}\r\n\r\n${body}`);
}

/** The same, if the service may close the connection after the answer. */
function closing(made: Piece): Piece {
  return { ...made, answers: 'any' };
}

/** Raw bytes with a hand-written head: its end is ambiguous. */
function loose(lines: readonly string[], body = '', newline = '\r\n'): Piece {
  return piece('any', `${lines.join(newline)}${newline}${newline}${body}`);
}

const GET = `GET ${PREFIX}/tags HTTP/1.1`;
/** A request hidden in a body, which must never be answered: replies.ts looks for it. */
export const HIDDEN = '"page":987654,';
const hiddenRequest = (caller: Caller) =>
  `GET ${PREFIX}/posts?page=987654 HTTP/1.1\r\nHost: a\r\n${caller.header}\r\n\r\n`;

/** Parts of paths, queries and headers; the tables of the other tests have more of each kind. */
const PATH_BITS = [
  ...['..', '.', '%2e%2e', '%2f', '%5c', '\\', '//', '/', ';', '@', '%00', '%0d%0a', '%', '%zz', '%20', '*'],
  ...['%c0%ae', '%ff', '%ed%a0%80', '%F0%9F%A6%80', '\xe2\x80\xae', '\xff\xfe', '%25%32%65'],
  ...[
    'posts',
    'authors',
    'me',
    'tags',
    'con',
    '__proto__',
    'constructor',
    'keys',
    'quota.db',
    'snapshot.json',
  ],
];
const QUERY_BITS = [
  ...['q', 'page', 'per_page', 'sort', 'tag', 'category', 'author', '__proto__', 'api-key', ''],
  ...[
    '=',
    '&',
    '&&',
    '%3d',
    '+',
    '%00',
    '%u0041',
    '%',
    '[]',
    ';',
    '#',
    '?',
    ',',
    '-1',
    '0',
    '50',
    '51',
    '1e3',
  ],
  ...['NaN', 'new', 'popular', 'a', 'the', '%E6%97%A5%E6%9C%AC', '\xf0\x9f\x98\x80', '<script>', '%ff'],
];
const METHODS = ['POST', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND', 'PURGE', 'QUERY'];
const NAMES = [
  ...['X-Forwarded-For', 'X-HTTP-Method-Override', 'If-None-Match', 'If-Match', 'Range', 'Accept-Encoding'],
  ...['Authorization', 'X-Api-Key', 'Origin', 'TE', 'Trailer', 'Keep-Alive', '__proto__', 'Content-Encoding'],
];
const VALUES = [
  ...['', '*', '"', 'W/""', '"a","b"', ',,,', 'bytes=0-', 'gzip;q=0', 'br, *;q=0', '\xff\xfe', '0', 'a, b'],
  ...['Bearer', 'Bearer a b', 'Basic YTpi', 'bearer opk_', '::1', '[::1]:80', '999.1.1.1', '() { :;};'],
];
const VERSIONS = ['HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/9.9', 'http/1.1', 'HTTP/1.1 ', 'HTTP/', 'ICY'];

const joined = (random: Random, bits: readonly string[], most: number, between = '') =>
  Array.from({ length: random.between(1, most) }, () => random.pick(bits)).join(between);
const headerLine = (random: Random) => `${random.pick(NAMES)}: ${random.pick(VALUES)}`;
const bytesOf = (random: Random, most: number) =>
  Buffer.from(Array.from({ length: random.between(1, most) }, () => random.below(256)));
const spaceless = (text: string) => text.replace(/ /g, '%20');

const LENGTHS = ['0', '5', '+5', '-1', '0x5', '5, 5', '05', '1e1', '', '99999999999999999999'];

const MAKERS: readonly Maker[] = [
  // Paths and queries.
  (random, caller) =>
    framed(caller, spaceless(`${PREFIX}/${joined(random, PATH_BITS, 6, random.pick(['', '/']))}`)),
  (random, caller) => framed(caller, spaceless(`/${joined(random, PATH_BITS, 6, random.pick(['', '/']))}`)),
  (random, caller) => framed(caller, spaceless(`${PREFIX}/posts?${joined(random, QUERY_BITS, 12)}`)),
  (random, caller) =>
    framed(
      caller,
      spaceless(`${PREFIX}/posts?q=${joined(random, QUERY_BITS, 4)}&${joined(random, QUERY_BITS, 8)}`),
    ),
  (random, caller) =>
    framed(
      caller,
      `${PREFIX}/posts/${random.pick(['x', '%41', '%F0%9F%A6%80', '..%2f'])}`.padEnd(
        random.between(100, 60_000),
        'y',
      ),
    ),
  (random, caller) =>
    framed(
      caller,
      random.pick(['*', `http://a:b@c${PREFIX}/me`, 'HTTP://[::1]:99/', 'http://', `//a${PREFIX}/me`]),
      { method: random.pick(['GET', 'OPTIONS', 'HEAD']) },
    ),
  // Methods and bodies.
  (random, caller) => framed(caller, `${PREFIX}/me`, { method: random.pick(METHODS) }),
  (random, caller) => {
    const body = hiddenRequest(caller).padEnd(random.below(3000), 'z');
    return framed(caller, `${PREFIX}/tags`, {
      method: random.pick(['GET', 'HEAD', 'POST', 'DELETE']),
      lines: [`Content-Length: ${body.length}`],
      body,
    });
  },
  (random, caller) => {
    const hidden = hiddenRequest(caller);
    const body = `${hidden.length.toString(16)}${random.pick(['', ';a=b', ';a="b"'])}\r\n${hidden}\r\n0\r\n${random.pick(['', 'Trailer: a\r\n'])}\r\n`;
    return framed(caller, `${PREFIX}/tags`, {
      method: random.pick(['GET', 'POST']),
      lines: ['Transfer-Encoding: chunked'],
      body,
    });
  },
  (random, caller) => {
    const lines = [`Expect: ${random.pick(['100-continue', 'nothing', ''])}`, 'Content-Length: 3'];
    return closing(framed(caller, `${PREFIX}/tags`, { lines, body: 'abc' }));
  },
  (random, caller) => {
    const lines = [`Upgrade: ${random.pick(['websocket', 'h2c'])}`, 'Connection: Upgrade'];
    return closing(framed(caller, `${PREFIX}/tags`, { lines }));
  },
  // Headers.
  (random, caller) =>
    framed(caller, `${PREFIX}/posts`, {
      lines: Array.from({ length: random.between(1, 20) }, () => headerLine(random)),
    }),
  (random, caller) =>
    framed(caller, `${PREFIX}/me`, {
      lines: Array.from({ length: random.between(100, 1500) }, (_, i) => `X-${i}: ${random.pick(VALUES)}`),
    }),
  (random, caller) =>
    framed(caller, `${PREFIX}/me`, {
      lines: [`${random.pick(NAMES)}: ${'v'.repeat(random.between(1_000, 60_000))}`],
    }),
  (random, caller) =>
    framed(caller, `${PREFIX}/me`, { lines: [`Host: ${random.pick(['b', '', 'a:b:c', '[/', '\xff'])}`] }),
  (random) =>
    loose([GET, 'Host: a', `${random.pick(NAMES)}: ${'v'.repeat(random.between(120_000, 300_000))}`]),
  (random, caller) =>
    loose([
      GET,
      'Host: a',
      random.pick([' folded', 'Name : a', ': a', 'No colon', 'A\x00: b', 'A: \x01', 'A: b\rC: d', 'A B: c']),
      caller.header,
    ]),
  (random, caller) => loose([GET, 'Host: a', caller.header], '', random.pick(['\n', '\r', '\r\r\n', '\n\r'])),
  // Request smuggling (RFC 9112, 11.2).
  (random, caller) => {
    const hidden = hiddenRequest(caller);
    const coding = random.pick([
      ...['chunked', ' chunked', 'xchunked', 'chunked, identity', 'identity, chunked', '\x0bchunked'],
      'chunked\r\nTransfer-Encoding: x',
    ]);
    const lines = [`POST ${PREFIX}/tags HTTP/1.1`, 'Host: a', caller.header];
    const framing = [
      `Content-Length: ${random.pick([String(hidden.length + 5), '0', '5'])}`,
      `Transfer-Encoding: ${coding}`,
    ];
    return loose([...lines, ...(random.chance(0.5) ? framing : framing.reverse())], `0\r\n\r\n${hidden}`);
  },
  (random, caller) =>
    loose(
      [
        `POST ${PREFIX}/me HTTP/1.1`,
        'Host: a',
        caller.header,
        ...Array.from({ length: 2 }, () => `Content-Length: ${random.pick(LENGTHS)}`),
      ],
      'hello',
    ),
  (random, caller) =>
    loose(
      [`POST ${PREFIX}/me HTTP/1.1`, 'Host: a', caller.header, 'Transfer-Encoding: chunked'],
      random.pick(['g\r\nabc\r\n0\r\n\r\n', '-1\r\n\r\n', 'ffffffffffffffff1\r\n', '5\r\nab', '1\na\n0\n\n']),
    ),
  (random, caller) =>
    loose(
      [`GET ${PREFIX}/me HTTP/1.1`, 'Host: a', caller.header, `Content-Length: ${random.between(10, 1e9)}`],
      hiddenRequest(caller).slice(0, 9),
    ),
  // Versions, lines, tunnels, and bytes that are not HTTP.
  (random, caller) => loose([`GET ${PREFIX}/me ${random.pick(VERSIONS)}`, 'Host: a', caller.header]),
  (random, caller) =>
    loose([
      random.pick([
        ...[`GET  ${PREFIX} HTTP/1.1`, `GET ${PREFIX}/a b HTTP/1.1`, `get ${PREFIX}/me HTTP/1.1`],
        ...['GET HTTP/1.1', 'GET', '', '\0', `GET ${PREFIX}/\x01 HTTP/1.1`],
      ]),
      'Host: a',
      caller.header,
    ]),
  (random, caller) =>
    loose([`CONNECT ${random.pick(['a:443', PREFIX, '/'])} HTTP/1.1`, 'Host: a', caller.header], 'tunnelled'),
  (_, caller) => loose([GET, caller.header]),
  () => piece('any', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00'),
  () => piece('any', Buffer.from('16030100c4010000c00303', 'hex')),
  (random) => piece('any', bytesOf(random, 400)),
  (random, caller) => piece('any', mutated(random, plainRequest(random, caller).bytes)),
  (random, caller) => {
    const lines = ['Transfer-Encoding: chunked'];
    const { bytes } = framed(caller, `${PREFIX}/tags`, { lines, body: '3\r\nabc\r\n0\r\n\r\n' });
    return piece('any', mutated(random, bytes));
  },
  (random, caller) => {
    const { bytes } = plainRequest(random, caller);
    return piece('any', bytes.subarray(0, random.below(bytes.length)));
  },
];

/** The bytes with some of them changed, removed, inserted, or repeated. */
function mutated(random: Random, bytes: Buffer): Buffer {
  let changed = bytes;
  for (let times = random.between(1, 4); times > 0; times -= 1) {
    const at = random.below(changed.length);
    const length = random.between(1, 6);
    const [before, cut, after] = [
      changed.subarray(0, at),
      changed.subarray(at, at + length),
      changed.subarray(at + length),
    ];
    const middle = random.pick([
      () => bytesOf(random, 6),
      () => Buffer.alloc(0),
      () => Buffer.concat([cut, bytesOf(random, 3)]),
      () => Buffer.concat([cut, cut]),
      () => Buffer.from(random.pick(['\r\n', '\n', '\0', ' ', ':', '\r\n\r\n', '%', ',']), 'latin1'),
    ])();
    changed = Buffer.concat([before, middle, after]);
  }
  return changed;
}
