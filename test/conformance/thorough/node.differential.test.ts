import { test } from 'vitest';
import { lacks } from '../../lacks.ts';
import { generatedBlog, hasRealBlog, oddBlog, realBlog, sampleBlog } from '../../service/blogs.ts';
import { nodeHome } from '../../service/node-home.ts';
import { describeDifferential } from '../differential.ts';

describeDifferential(nodeHome, 'the sample blog', sampleBlog);
describeDifferential(nodeHome, 'the odd blog', oddBlog);
describeDifferential(nodeHome, 'a generated blog', generatedBlog);

for (const name of ['rust-blog', 'abulimov-hugo-ru']) {
  if (lacks('real blogs', hasRealBlog(name))) test.skip(name);
  else describeDifferential(nodeHome, name, () => realBlog(name));
}
