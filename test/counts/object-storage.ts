import type { DurableObjectState } from '@cloudflare/workers-types';
import { QuotaObject } from '../../gateway/worker/quota-object.ts';

/** The storage of a Durable Object, outside of Cloudflare. The test file mocks `cloudflare:workers`. */
export class ObjectStorage {
  /** Rows written, without alarms. */
  rows = 0;
  readonly #values = new Map<string, unknown>();

  put(key: string, value: unknown): void {
    this.rows += 1;
    this.#values.set(key, structuredClone(value));
  }

  /** The object with empty memory, as after a restart. */
  object(): QuotaObject {
    const kv = {
      get: (key: string) => structuredClone(this.#values.get(key)),
      put: (key: string, value: unknown) => this.put(key, value),
    };
    const storage = { kv, setAlarm: () => Promise.resolve() };
    return new QuotaObject({ storage } as unknown as DurableObjectState, {});
  }
}
