import { bucketHome } from '../service/bucket-home.ts';
import { describeConformance } from './conformance.ts';

describeConformance(bucketHome);
