import { bucketHome } from '../service/bucket-home.ts';
import { oddBlog } from '../service/blogs.ts';
import { describeDifferential } from './differential.ts';

// Only where snapshots and keys are read differs from one machine.
describeDifferential(bucketHome, 'the odd blog', oddBlog);
