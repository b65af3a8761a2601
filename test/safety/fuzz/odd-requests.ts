/**
 * Requests of faulty or hostile clients: those of odd-requests.txt, and others with a body or random bytes. If their framing is sound,
 * each has exactly one answer.
 */
import { readFileSync } from 'node:fs';
import type { Random } from '../../../bench/generate/random.ts';
import { PREFIX } from '../../../contract/api.ts';
import type { Caller } from './callers.ts';
import { type Piece, plainRequest } from './plain-requests.ts';

type Maker = (random: Random, caller: Caller) => Piece;

const FILE = readFileSync(new URL('odd-requests.txt', import.meta.url), 'utf8').split('\n');
const LISTS = new Map(
  FILE.flatMap((line) => {
    const [, name, list = ''] = /^([A-Z]+)=(.*)$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, list.split('|')] as const];
  }),
);
const TEMPLATES = FILE.flatMap((line) => {
  const [, kind, template] = /^(framed|closing|loose) (.*)$/.exec(line) ?? [];
  return kind === undefined || template === undefined ? [] : [{ kind, template }];
});

/** One odd request. */
export function oddRequest(random: Random, caller: Caller): Piece {
  if (random.below(TEMPLATES.length + MAKERS.length) < MAKERS.length)
    return random.pick(MAKERS)(random, caller);
  const { kind, template } = random.pick(TEMPLATES);
  const bytes = filled(random, caller, template);
  return piece(kind === 'framed' && isSound(bytes) ? 'one' : 'any', bytes);
}

/** A request hidden in a body, which must never be answered: replies.ts looks for it. */
export const HIDDEN = '"page":987654,';
const hiddenRequest = (caller: Caller) =>
  `GET ${PREFIX}/posts?page=987654 HTTP/1.1\r\nHost: a\r\n${caller.header}\r\n\r\n`;

function filled(random: Random, caller: Caller, template: string): string {
  const chosen = template.replace(/\{([^}]*)\}/g, (_, inside: string) => {
    const [, part, least, most] = /^(.+)\*(\d+)-(\d+)$/.exec(inside) ?? [];
    return part === undefined
      ? random.pick(inside.split('|'))
      : part.repeat(random.between(Number(least), Number(most)));
  });
  return chosen
    .replace(/([A-Z]{4,})(?:\+(\d+))?/g, (word, name: string, most = '1') => {
      const list = LISTS.get(name);
      if (!list) return word;
      return Array.from({ length: random.between(1, Number(most)) }, () => random.pick(list)).join('');
    })
    .replaceAll('~', PREFIX)
    .replaceAll('¶', '\r\n')
    .replace(/\\x([0-9a-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll('CALLER', () => caller.header)
    .replaceAll('HIDDEN', () => hiddenRequest(caller));
}

/** Not after an invalid target or host, or too many lines: then the connection may end. */
function isSound(request: string): boolean {
  const [first = '', host, ...lines] = (request.split('\r\n\r\n')[0] ?? '').split('\r\n');
  const [, target = ''] = /^[A-Z]+ (\S*) HTTP\/1\.1$/.exec(first) ?? [];
  return (
    /^[\x21-\x7e]+$/.test(target) &&
    !/^https?:\/\/(?:[^/?#]*@|[/?#]|$)/i.test(target) &&
    host === 'Host: a' &&
    !lines.some((line) => /^host:/i.test(line)) &&
    lines.length <= 998
  );
}

function piece(answers: Piece['answers'], bytes: string | Buffer): Piece {
  const buffer = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes;
  return { bytes: buffer, answers, counts: undefined, fault: () => null };
}

/** With sound framing, and a body. */
function withBody(method: string, { header }: Caller, framing: string, body: string): Piece {
  const head = [`${method} ${PREFIX}/tags HTTP/1.1`, 'Host: a', header, framing].join('\r\n');
  return piece('one', `${head}\r\n\r\n${body}`);
}

const bytesOf = (random: Random, most: number) =>
  Buffer.from(Array.from({ length: random.between(1, most) }, () => random.below(256)));

const MAKERS: readonly Maker[] = [
  (random, caller) => {
    const body = hiddenRequest(caller).padEnd(random.below(3000), 'z');
    const method = random.pick(['GET', 'HEAD', 'POST', 'DELETE']);
    return withBody(method, caller, `Content-Length: ${body.length}`, body);
  },
  (random, caller) => {
    const hidden = hiddenRequest(caller);
    const size = `${hidden.length.toString(16)}${random.pick(['', ';a=b', ';a="b"'])}`;
    const body = `${size}\r\n${hidden}\r\n0\r\n${random.pick(['', 'Trailer: a\r\n'])}\r\n`;
    return withBody(random.pick(['GET', 'POST']), caller, 'Transfer-Encoding: chunked', body);
  },
  (random) => piece('any', bytesOf(random, 400)),
  (random, caller) => piece('any', mutated(random, plainRequest(random, caller).bytes)),
  (random, caller) => {
    const { bytes } = withBody('GET', caller, 'Transfer-Encoding: chunked', '3\r\nabc\r\n0\r\n\r\n');
    return piece('any', mutated(random, bytes));
  },
];

/** The bytes with some of them changed, removed, inserted, or repeated. */
function mutated(random: Random, bytes: Buffer): Buffer {
  let text = bytes.toString('latin1');
  for (let times = random.between(1, 4); times > 0; times -= 1) {
    const at = random.below(text.length);
    const cut = text.slice(at, at + random.between(1, 6));
    const signs = random.pick(['\r\n', '\r\n\r\n', ...'\n\0 :%,']);
    const inserted = random.pick(['', cut, signs, bytesOf(random, 6).toString('latin1')]);
    text = text.slice(0, at) + (random.chance(0.5) ? cut : '') + inserted + text.slice(at + cut.length);
  }
  return Buffer.from(text, 'latin1');
}
