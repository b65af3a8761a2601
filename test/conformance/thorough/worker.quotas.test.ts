import { workerHome } from '../../service/worker-home.ts';
import { describeQuotas } from '../quotas.ts';
import { describeUnlimited } from '../unlimited.ts';

describeQuotas(workerHome);
describeUnlimited(workerHome);
