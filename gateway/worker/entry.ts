/** What Wrangler bundles: the Worker, the class of its Durable Objects, and where failures are reported. */
import { createWorker } from './worker.ts';

export { Failure } from './failure.ts';
export { QuotaObject } from './quota-object.ts';

export default createWorker();
