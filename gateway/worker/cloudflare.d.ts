/** The parts of the runtime that the Worker uses. Its full types would replace Node's everywhere. */

declare const caches: { readonly default: import('./cached-bucket.ts').ObjectCache };

declare module 'cloudflare:workers' {
  import type { DurableObjectState, Rpc } from '@cloudflare/workers-types';

  /** Keeps the current request alive until the work is done. */
  export function waitUntil(work: Promise<unknown>): void;

  /** The entry points of this Worker, for calls to itself. */
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
