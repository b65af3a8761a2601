/**
 * One log line for each request, with the caller but no secrets: no query, since people put keys there; only the prefix of
 * a key; only the keyed hash of an address, as in the counts. Without a log and metrics no request is observed.
 */
import type { EndpointName } from '../contract/api.ts';
import { withoutSecrets } from '../contract/api-key.ts';
import type { Caller } from '../gateway/caller.ts';
import type { RequestLines } from '../gateway/node/http-server.ts';
import { readTarget } from '../gateway/routes.ts';

/** Longer paths are cut to keep log lines short. */
const PATH_MAX = 300;

/** One line of the log. */
export interface AccessLine {
  /** A request ID, unique across restarts; error lines have it too. */
  readonly request: string;
  /** Null: not valid HTTP. */
  readonly method: string | null;
  /** Without the query. */
  readonly path: string | null;
  readonly endpoint: EndpointName | null;
  readonly status: number;
  /** Of the body. */
  readonly bytes: number;
  readonly ms: number;
  /** The key's account. */
  readonly account?: string;
  /** The key's prefix. */
  readonly key?: string;
  /** The address's keyed hash, as in the database of counts; only without a key. */
  readonly address?: string;
  /** The client disconnected before the answer. */
  readonly unsent?: true;
}

/** A request that was answered, or whose client has left. */
export interface AnsweredRequest {
  readonly id: string;
  /** Null: not valid HTTP. */
  readonly method: string | null;
  /** As sent. */
  readonly target: string | null;
  readonly caller: Caller | undefined;
  readonly status: number;
  /** Of the body. */
  readonly bytes: number;
  readonly ms: number;
  readonly wasSent: boolean;
}

/** Observes requests from their arrival to their end. */
export function requestTimes(answered: (request: AnsweredRequest) => void): RequestLines {
  const run = Date.now().toString(36);
  let requests = 0;
  return {
    begin(method, target) {
      requests += 1;
      const id = `${run}-${requests.toString(36)}`;
      const began = performance.now();
      let caller: Caller | undefined;
      return {
        id,
        setCaller: (known) => void (caller = known),
        end: (status, bytes, wasSent) =>
          answered({ id, method, target, caller, status, bytes, ms: performance.now() - began, wasSent }),
      };
    },
  };
}

export function accessLine(request: AnsweredRequest): AccessLine {
  const { id, method, target, caller, status, bytes, ms, wasSent } = request;
  return {
    request: id,
    method,
    path: target === null ? null : loggedPath(target),
    endpoint: target === null ? null : readTarget(target).endpoint,
    status,
    bytes,
    ms: Math.round(ms * 100) / 100,
    ...callerFields(caller),
    ...(!wasSent && { unsent: true }),
  };
}

function callerFields(caller: Caller | undefined): Pick<AccessLine, 'account' | 'key' | 'address'> {
  if (!caller) return {};
  const { key, principal } = caller;
  if (key) return { account: key.account, key: key.prefix };
  return { address: principal.id.slice('address:'.length) };
}

const NOT_PATH = /^[a-z]+:\/\/[^/]*|^\/\/[^/]*@|[?#].*$/gis;

/**
 * The path of a target, safe for a log. A key in the path is cut to its prefix, even if percent-encoded repeatedly; only
 * such paths are logged decoded.
 */
export function loggedPath(target: string): string {
  const path = target.replace(NOT_PATH, (part) => (part.startsWith('//') ? '//' : ''));
  const shown = path.slice(0, PATH_MAX);
  const decoded = unescaped(shown);
  const bare = withoutSecrets(decoded);
  return (bare === decoded ? shown : escaped(bare)) + (path.length > PATH_MAX ? '…' : '');
}

/** Decodes nested percent-encoding completely, to one character per byte. */
function unescaped(text: string): string {
  const once = text.replace(/%([\da-f]{2})/gi, (_, byte: string) => String.fromCharCode(parseInt(byte, 16)));
  return once === text ? text : unescaped(once);
}

/** Percent-encodes all but visible ASCII, since logs are read in terminals. */
function escaped(text: string): string {
  return text.replace(
    /[^\x21-\x7e…]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}
