import { describe } from 'vitest';
import { lacksPostgres } from '../../service/postgres.ts';
import { postgresHome } from '../../service/postgres-home.ts';
import { describeQuotas } from '../quotas.ts';

// Everything but counts is the same as with SQLite.
describe.skipIf(lacksPostgres())('with counts in PostgreSQL', () => describeQuotas(postgresHome));
