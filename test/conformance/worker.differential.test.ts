import { oddBlog, sampleBlog } from '../service/blogs.ts';
import { workerHome } from '../service/worker-home.ts';
import { describeDifferential } from './differential.ts';

// The core is the same as on one machine, where more blogs are compared. Here two that are small and odd are.
describeDifferential(workerHome, 'the sample blog', sampleBlog);
describeDifferential(workerHome, 'the odd blog', oddBlog);
