/** What Wrangler bundles: the Worker, and the class of its Durable Objects. */
import { createWorker } from './worker.ts';

export { QuotaObject } from './quota-object.ts';

export default createWorker();
