import { nodeHome } from '../service/node-home.ts';
import { describeConformance } from './conformance.ts';

describeConformance(nodeHome);
