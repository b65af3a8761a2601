import { expect, test } from 'vitest';
import type { Cases } from './suite.ts';

/** statuses.txt has the other paths that are not endpoints. */
export const all404: Cases = (stage) => {
  test('404: a path that would be the description after resolving dot segments', async ({ skip }) => {
    skip(
      !stage().service.receivesRawRequests,
      'nothing is lacking: this platform resolves the path before the Worker gets it',
    );
    expect((await stage().caller.getAbsolute('/docs/../openapi.json')).status).toBe(404);
  });
};
