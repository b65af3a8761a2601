import type { Reply } from '../reply.ts';

/** A reply as a Response. */
export function toResponse({ method }: Request, { status, headers, body }: Reply): Response {
  const sent = new Headers();
  for (let i = 0; i < headers.length; i += 2) sent.append(headers[i] ?? '', headers[i + 1] ?? '');
  return new Response(method === 'HEAD' ? null : body, { status, headers: sent });
}
