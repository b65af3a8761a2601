/**
 * Two paths for process managers, load balancers and monitors, outside the interface: they count for nobody
 * and tell nothing but yes or no.
 *
 *   /healthz   it runs and answers; if not, it should be restarted
 *   /readyz    it has a snapshot, and on one machine can write counts; if not, it should get no requests for now
 */
import { bodyOf } from './answer.ts';
import type { Reply } from './reply.ts';

export type Probe = 'live' | 'ready';

/** Which of the two a request asks for, if any. */
export function probeOf(method: string | undefined, url: string | undefined): Probe | null {
  const probe = url === '/healthz' ? 'live' : url === '/readyz' ? 'ready' : null;
  return method === 'GET' || method === 'HEAD' ? probe : null;
}

/** The answer: 200, or 503 where it is not so. */
export function probeReply(probe: Probe, isSo: boolean): Reply {
  const envelope = isSo
    ? { success: true, data: { status: probe } }
    : { success: false, message: 'Not ready.' };
  const body = bodyOf(JSON.stringify(envelope));
  const headers = [
    ...['Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(body.length)],
    ...['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff'],
  ];
  return { status: isSo ? 200 : 503, headers, body };
}
