import { workerHome } from '../../service/worker-home.ts';
import { describeConformance } from '../conformance.ts';

describeConformance(workerHome);
