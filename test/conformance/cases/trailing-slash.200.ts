import { describe, expect, test } from 'vitest';
import { ENDPOINTS, type Cases } from './suite.ts';

/** A slash at the end of a path is ignored. */
export const trailingSlash200: Cases = (stage, keys) => {
  describe('a slash at the end', () => {
    test.each(ENDPOINTS)('gives the answer of "%s"', async (path) => {
      const { key } = keys().full;
      const [bare, slashed] = [
        await stage().caller.get(path, { key }),
        await stage().caller.get(`${path}/`, { key }),
      ];
      expect(slashed.status).toBe(200);
      expect(slashed.header('ETag')).toBe(bare.header('ETag'));
      expect(slashed.header('Link')).toBe(bare.header('Link'));
      if (path !== '/me') expect(slashed.text).toBe(bare.text);
    });
  });
};
