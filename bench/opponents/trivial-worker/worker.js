// The minimum cost of a counted answer at Cloudflare: one call of a Durable Object that writes one row, and
// constant bytes. Plain JavaScript, because the Worker's types conflict with those of Node.
import { DurableObject } from 'cloudflare:workers';

export class Counter extends DurableObject {
  #used;

  count() {
    const { sql } = this.ctx.storage;
    if (this.#used === undefined) {
      sql.exec('CREATE TABLE IF NOT EXISTS usage (id INTEGER PRIMARY KEY, used INTEGER NOT NULL)');
      this.#used = sql.exec('SELECT used FROM usage').toArray()[0]?.used ?? 0;
    }
    this.#used += 1;
    sql.exec('INSERT OR REPLACE INTO usage (id, used) VALUES (1, ?)', this.#used);
    return this.#used;
  }
}

let reply;

export default {
  async fetch(_request, { COUNTER, HEADERS, BODY }) {
    reply ??= { headers: JSON.parse(HEADERS), body: new TextEncoder().encode(BODY) };
    const used = await COUNTER.get(COUNTER.idFromName('all')).count();
    return new Response(reply.body, { headers: { ...reply.headers, 'X-Quota-Used': String(used) } });
  },
};
