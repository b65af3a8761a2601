import { bucketHome } from '../service/bucket-home.ts';
import { nodeHome } from '../service/node-home.ts';
import { workerHome } from '../service/worker-home.ts';
import { describeWaiting } from './waiting.ts';

// In one file, so that the homes wait for their minute in parallel.
describeWaiting(nodeHome);
describeWaiting(workerHome);
describeWaiting(bucketHome);
