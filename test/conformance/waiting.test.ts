import { nodeHome } from '../service/node-home.ts';
import { workerHome } from '../service/worker-home.ts';
import { describeWaiting } from './waiting.ts';

// Both in one file: each waits for a minute, and both wait at once.
describeWaiting(nodeHome);
describeWaiting(workerHome);
