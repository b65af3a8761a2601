import { inProcessHome } from '../service/in-process-home.ts';
import { describeConformance } from './conformance.ts';
import { describeUnlimited } from './unlimited.ts';

describeConformance(inProcessHome);
describeUnlimited(inProcessHome);
