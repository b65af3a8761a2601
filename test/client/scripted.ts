import { type ClientOptions, createClient } from '../../client/source/index.ts';

/** A request as the client sent it. */
export interface Sent {
  readonly method: string | undefined;
  readonly url: string;
  readonly headers: Headers;
}

/** A client whose requests get these replies in order; an error means that there is no reply. */
export function scripted(replies: readonly (Response | Error)[], options: Partial<ClientOptions> = {}) {
  const sent: Sent[] = [];
  const client = createClient({
    url: 'https://api.example',
    fetch: async (url, { method, headers, signal }) => {
      signal?.throwIfAborted();
      const reply = replies[sent.length];
      sent.push({ method, url, headers: new Headers(headers) });
      if (reply === undefined) throw new Error('There are no more replies.');
      if (reply instanceof Error) throw reply;
      return reply;
    },
    ...options,
  });
  return { client, sent };
}

/** What a call fails with. */
export const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => Promise.reject(new Error('It did not fail.')),
    (error: unknown) => error,
  );

export function success(data: unknown, headers: Record<string, string> = {}): Response {
  return Response.json({ success: true, data }, { headers });
}

/** @param retryAfter the value of the header */
export function limited(retryAfter: string | null): Response {
  const body = { success: false, message: 'The limit of 30 requests per minute is reached.' };
  return Response.json(body, {
    status: 429,
    headers: retryAfter === null ? {} : { 'Retry-After': retryAfter },
  });
}
