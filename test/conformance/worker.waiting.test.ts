import { workerHome } from '../service/worker-home.ts';
import { describeWaiting } from './waiting.ts';

describeWaiting(workerHome);
