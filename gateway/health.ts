/**
 * Two paths for process managers, load balancers and monitors, outside the interface: uncounted, and they answer only yes
 * or no.
 *
 *   /healthz   the process answers; if not, restart it
 *   /readyz    it has a snapshot, and on one machine can write counts; if not, send it no requests
 */
import { encodeBody } from './answer.ts';
import type { Reply } from './reply.ts';

type Probe = 'live' | 'ready';

/** The probe that a request is for, if any. */
export function findProbe(method: string | undefined, url: string | undefined): Probe | null {
  const probe = url === '/healthz' ? 'live' : url === '/readyz' ? 'ready' : null;
  return method === 'GET' || method === 'HEAD' ? probe : null;
}

/** 200 if so, else 503. */
export function probeReply(probe: Probe, isUp: boolean): Reply {
  const envelope = isUp
    ? { success: true, data: { status: probe } }
    : { success: false, message: 'Not ready.' };
  const body = encodeBody(JSON.stringify(envelope));
  const headers = [
    ...['Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(body.length)],
    ...['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff'],
  ];
  return { status: isUp ? 200 : 503, headers, body };
}
