/**
 * What a log says of each request: one line, with whose request it was and no secret. No query, since
 * people put keys there; no key beyond its prefix; of an address only the keyed hash that it is counted
 * by. Where no log is kept there is no AccessLog, and a request costs nothing for it.
 */
import type { EndpointName } from '../contract/api.ts';
import { withoutSecrets } from '../contract/api-key.ts';
import type { Caller } from '../gateway/caller.ts';
import type { OpenLine, RequestLines } from '../gateway/node/http-server.ts';
import { readTarget } from '../gateway/routes.ts';

/** Longer paths are cut: a line of the log stays a line. */
const PATH_MAX = 300;

/** One line of the log. */
export interface AccessLine {
  /** Tells requests apart, also over restarts; lines about faults carry it too. */
  readonly request: string;
  /** Null: it could not be read as HTTP. */
  readonly method: string | null;
  /** Without the query. */
  readonly path: string | null;
  readonly endpoint: EndpointName | null;
  readonly status: number;
  /** Of the body. */
  readonly bytes: number;
  readonly ms: number;
  /** Whose key it is. */
  readonly account?: string;
  /** The key's prefix. */
  readonly key?: string;
  /** The address's keyed hash, as in the database of counts; with a key none is made. */
  readonly address?: string;
  /** The client had gone before the answer was there. */
  readonly unsent?: true;
}

export class AccessLog implements RequestLines {
  readonly #write: (line: AccessLine) => void;
  readonly #run = Date.now().toString(36);
  #requests = 0;

  constructor(write: (line: AccessLine) => void) {
    this.#write = write;
  }

  /** A request has come. @param target as sent */
  begin(method: string | null, target: string | null): OpenLine {
    this.#requests += 1;
    const id = `${this.#run}-${this.#requests.toString(36)}`;
    const began = performance.now();
    let caller: Caller | undefined;
    return {
      id,
      identified: (known) => void (caller = known),
      end: (status, bytes, wasSent) =>
        this.#write({
          ...{ request: id, method, path: target === null ? null : loggedPath(target) },
          endpoint: target === null ? null : readTarget(target).endpoint,
          ...{ status, bytes, ms: Math.round((performance.now() - began) * 100) / 100 },
          ...callerFields(caller),
          ...(!wasSent && { unsent: true }),
        }),
    };
  }
}

function callerFields(caller: Caller | undefined): Pick<AccessLine, 'account' | 'key' | 'address'> {
  if (!caller) return {};
  const { key, principal } = caller;
  if (key) return { account: key.account, key: key.prefix };
  return { address: principal.id.slice('address:'.length) };
}

const NOT_PATH = /^[a-z]+:\/\/[^/]*|^\/\/[^/]*@|[?#].*$/gis;

/**
 * The path of a target as it may stand in a log. A key that somebody put into the path goes to its prefix, however
 * often it was percent-encoded; only such a path is written decoded.
 */
export function loggedPath(target: string): string {
  const path = target.replace(NOT_PATH, (part) => (part.startsWith('//') ? '//' : ''));
  const shown = path.slice(0, PATH_MAX);
  const decoded = unescaped(shown);
  const bare = withoutSecrets(decoded);
  return (bare === decoded ? shown : escaped(bare)) + (path.length > PATH_MAX ? '…' : '');
}

/** Without any percent-encoding, of whatever depth, as one character a byte. */
function unescaped(text: string): string {
  const once = text.replace(/%([\da-f]{2})/gi, (_, byte: string) => String.fromCharCode(parseInt(byte, 16)));
  return once === text ? text : unescaped(once);
}

/** What is not visible ASCII is percent-encoded: a log is read in terminals. */
function escaped(text: string): string {
  return text.replace(
    /[^\x21-\x7e…]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}
