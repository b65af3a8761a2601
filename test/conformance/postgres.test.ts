import { describe } from 'vitest';
import { sampleBlog } from '../service/blogs.ts';
import { lacksPostgres } from '../service/postgres.ts';
import { postgresHome } from '../service/postgres-home.ts';
import { describeConformance } from './conformance.ts';
import { describeDifferential } from './differential.ts';
import { describeQuotas } from './quotas.ts';

describe.skipIf(lacksPostgres())('with counts in PostgreSQL', () => {
  describeConformance(postgresHome);
  describeQuotas(postgresHome);
  describeDifferential(postgresHome, 'the sample blog', sampleBlog);
});
