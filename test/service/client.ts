import { Agent } from 'undici';

/** One request. */
export interface Call {
  readonly method?: string;
  /** Path and query, percent-encoded, sent unchanged: dot segments are not resolved. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What came back. */
export interface Reply {
  readonly status: number;
  /** A header's value, several joined with a comma; undefined if it is absent. */
  header(name: string): string | undefined;
  /** In lower case. */
  readonly headerNames: readonly string[];
  /** The body as received. */
  readonly text: string;
  /** The parsed body; undefined if there is none or it is not valid JSON. */
  readonly json: unknown;
}

const agent = new Agent({ connections: 32, pipelining: 1 });

/** Sends one request to the service at `origin`. */
export async function send(origin: string, call: Call): Promise<Reply> {
  const { statusCode, headers, body } = await agent.request({
    origin,
    path: call.path,
    method: call.method ?? 'GET',
    headers: { ...call.headers },
    body: call.body ?? null,
  });
  return makeReply(statusCode, headers, await body.text());
}

/** Makes a reply from its parts; header names in lower case. */
export function makeReply(
  status: number,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  text: string,
): Reply {
  return {
    status,
    header(name) {
      const value = headers[name.toLowerCase()];
      return Array.isArray(value) ? value.join(', ') : value;
    },
    headerNames: Object.keys(headers),
    text,
    json: parseJson(text),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
