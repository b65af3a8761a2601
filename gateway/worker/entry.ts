/** The module that Wrangler bundles: the Worker, its Durable Object class, and the entry point for failures. */
import { createWorker } from './worker.ts';

export { Failure } from './failure.ts';
export { QuotaObject } from './quota-object.ts';

export default createWorker();
