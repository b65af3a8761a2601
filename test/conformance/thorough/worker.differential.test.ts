import { oddBlog, sampleBlog } from '../../service/blogs.ts';
import { workerHome } from '../../service/worker-home.ts';
import { describeDifferential } from '../differential.ts';
import { cases } from '../../random-cases.ts';

// The core is the same as on one machine, where more blogs and lists are compared. Two small, odd ones are enough
// here.
const LISTS = cases(60);

describeDifferential(workerHome, 'the sample blog', sampleBlog, LISTS);
describeDifferential(workerHome, 'the odd blog', oddBlog, LISTS);
