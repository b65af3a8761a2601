import { describe } from 'vitest';
import { boundsBlog, emptyBlog, oddBlog } from '../service/blogs.ts';
import type { Home } from '../service/home.ts';
import { all304 } from './cases/all.304.ts';
import { all401 } from './cases/all.401.ts';
import { allBroken } from './cases/all.broken.ts';
import { changes200 } from './cases/changes.200.ts';
import { counting } from './cases/counting.ts';
import { documentation200 } from './cases/documentation.200.ts';
import { bounds200, empty200 } from './cases/extremes.200.ts';
import { included200 } from './cases/included.200.ts';
import { methods } from './cases/methods.ts';
import { overview200 } from './cases/overview.200.ts';
import { paging200 } from './cases/paging.200.ts';
import { post200 } from './cases/post.200.ts';
import { postsFilter200 } from './cases/posts-filter.200.ts';
import { posts200 } from './cases/posts.200.ts';
import { API_URL, site200, SITE } from './cases/site.200.ts';
import { statuses } from './cases/statuses.ts';
import { taxonomy200 } from './cases/taxonomy.200.ts';
import { FREE, useKeys, useStage } from './stage.ts';

const CASES = [
  overview200,
  posts200,
  postsFilter200,
  paging200,
  post200,
  changes200,
  included200,
  taxonomy200,
  all304,
  all401,
  methods,
  allBroken,
  counting,
  documentation200,
  statuses,
];

/** The interface on `home`, by endpoint and status. */
export function describeConformance(home: Home): void {
  describe(`${home.name}: the interface`, () => {
    const stage = useStage(home, oddBlog);
    const keys = useKeys(stage);
    for (const cases of CASES) cases(stage, keys);
  });

  describe(`${home.name}: an empty blog`, () => {
    empty200(useStage(home, emptyBlog));
  });

  describe(`${home.name}: extreme values`, () => {
    bounds200(useStage(home, boundsBlog));
  });

  describe(`${home.name}: site settings`, () => {
    site200(useStage(home, oddBlog, { ...FREE, site: SITE, api_url: `${API_URL}/` }));
  });
}
