/** What the Worker takes from the runtime, the types of which would replace those of Node everywhere. */

declare const caches: { readonly default: import('./cache-api.ts').ObjectCache };

declare module 'cloudflare:workers' {
  import type { DurableObjectState, Rpc } from '@cloudflare/workers-types';

  /** Keeps the request that is under way alive until the work is done. */
  export function waitUntil(work: Promise<unknown>): void;

  /** The entry points of this Worker, for calls of its own. */
  export const exports: {
    readonly Failure: { fetch(url: string, request: RequestInit): Promise<Response> };
  };

  export abstract class WorkerEntrypoint {
    readonly [Rpc.__WORKER_ENTRYPOINT_BRAND]: never;
    fetch?(request: Request): Response | Promise<Response>;
  }

  export abstract class DurableObject {
    readonly [Rpc.__DURABLE_OBJECT_BRAND]: never;
    constructor(state: DurableObjectState, environment: unknown);
    alarm?(): void | Promise<void>;
  }
}
