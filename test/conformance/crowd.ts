import type { Reply } from '../service/client.ts';
import { quotaOf } from './fields.ts';

/** Parallel load: `clients` clients, each sending `each` requests in sequence. Returns all replies. */
export async function crowd(
  clients: number,
  each: number,
  ask: (client: number) => Promise<Reply>,
): Promise<Reply[]> {
  const replies: Reply[] = [];
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      for (let request = 0; request < each; request += 1) replies.push(await ask(client));
    }),
  );
  return replies;
}

/** The replies that no limit refused. */
export const served = (replies: readonly Reply[]) => replies.filter(({ status }) => status !== 429);

/** X-Quota-Used of each reply, in ascending order. */
export const usedBy = (replies: readonly Reply[]) =>
  replies.map((reply) => quotaOf(reply).used).sort((a, b) => a - b);

/** 1 to `last`. */
export const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);
