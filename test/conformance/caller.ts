import { type Call, send, type Reply } from '../service/client.ts';
import type { Service } from '../service/home.ts';
import { Describer, readDescription } from './described.ts';
import { checkEveryReply } from './every-reply.ts';

/** The prefix of every path of the interface. */
export const PREFIX = '/api/public/v1';

export type Parameters = Readonly<Record<string, string | number | undefined>>;

export interface Options {
  readonly method?: string;
  /** An API key, sent as `Authorization: Bearer`. */
  readonly key?: string;
  /** The address of the caller; default: one address that all tests share. */
  readonly address?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Parameters;
}

/** A client of one service. It checks each reply against the rules for all replies. */
export interface Caller {
  /** Requests a path below the prefix; `''` is the overview. Names in it must be encoded already. */
  get(path: string, options?: Options): Promise<Reply>;
  /** Requests any path. */
  getAbsolute(path: string, options?: Options): Promise<Reply>;
  /** Checks a reply from another source: against the rules for all replies, and against `/openapi.json`. */
  check(call: Call, reply: Reply, sentAt: number): Promise<void>;
}

export function callerOf(service: Service): Caller {
  let describer: Promise<Describer> | undefined;
  const check = async (call: Call, reply: Reply, sentAt: number): Promise<void> => {
    checkEveryReply(call, reply, sentAt);
    describer ??= readDescription(service.url).then((description) => new Describer(description));
    (await describer).check(
      service.receivesRawRequests ? call : { ...call, path: withoutDots(call.path) },
      reply,
    );
  };
  const getAbsolute = async (path: string, options: Options = {}): Promise<Reply> => {
    const call = {
      method: options.method ?? 'GET',
      path: path + queryString(options.query),
      headers: {
        ...service.from(options.address ?? '192.0.2.1'),
        ...(options.key === undefined ? {} : { authorization: `Bearer ${options.key}` }),
        ...options.headers,
      },
    };
    const sentAt = Date.now();
    const reply = await send(service.url, call);
    await check(call, reply, sentAt);
    return reply;
  };
  return { getAbsolute, check, get: (path, options) => getAbsolute(PREFIX + path, options) };
}

/** `?a=b&c=d`, or empty without parameters. Undefined parameters are omitted. */
export function queryString(parameters: Parameters = {}): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`],
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** A path after the platform has parsed the URL (WHATWG URL Standard) before the service. */
function withoutDots(path: string): string {
  const { pathname, search } = new URL(`http://localhost${path}`);
  return pathname + search;
}

let addresses = 0;

/** An address that no other test uses. */
export function freshAddress(): string {
  addresses += 1;
  return `198.18.${Math.floor(addresses / 250)}.${(addresses % 250) + 1}`;
}
