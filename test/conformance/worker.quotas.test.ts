import { workerHome } from '../service/worker-home.ts';
import { describeQuotas } from './quotas.ts';

describeQuotas(workerHome);
