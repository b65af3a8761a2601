import { nodeHome } from '../service/node-home.ts';
import { describeWaiting } from './waiting.ts';

describeWaiting(nodeHome);
