import { nodeHome } from '../../service/node-home.ts';
import { describeQuotas } from '../quotas.ts';

describeQuotas(nodeHome);
