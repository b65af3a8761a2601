import { inProcessHome } from '../service/in-process-home.ts';
import { describeConformance } from './conformance.ts';

describeConformance(inProcessHome);
