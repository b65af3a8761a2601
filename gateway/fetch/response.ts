import type { Reply } from '../reply.ts';

/** A reply as the platform sends it. */
export function toResponse({ status, headers, body }: Reply): Response {
  const sent = new Headers();
  for (let i = 0; i < headers.length; i += 2) sent.append(headers[i] ?? '', headers[i + 1] ?? '');
  return new Response(body, { status, headers: sent });
}
