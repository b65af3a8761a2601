import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Cases } from './suite.ts';

/** SQLite may remove its own files while they are listed. */
function contentOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    return Buffer.alloc(0);
  }
}

/** What the service stores and logs about keys and addresses. */
export const secrets: Cases = (stage, keys) => {
  /** Files that contain these bytes. */
  const filesWith = (text: string) => {
    const { folder } = stage().service;
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    expect(files.length).toBeGreaterThan(5);
    return files
      .map((file) => join(file.parentPath, file.name))
      .filter((path) => path.includes(text) || contentOf(path).includes(text));
  };

  describe('secrets', () => {
    test('no key is stored or logged', async () => {
      const { key } = keys().full;
      await stage().caller.get('/me', { key });
      await stage().caller.get(`/posts?api_key=${key}`);
      expect(filesWith(key.slice(13))).toEqual([]);
      expect(stage().service.log).not.toContain(key.slice(13));
    });

    test('no address is stored in clear text', async () => {
      await stage().caller.get('/me', { address: '198.51.100.77' });
      await stage().caller.get('/me', { address: '2001:db8:beef:cafe::77' });
      for (const text of ['198.51.100.77', '2001:db8:beef:cafe', '2001:0db8:beef:cafe']) {
        expect(filesWith(text)).toEqual([]);
        expect(stage().service.log).not.toContain(text);
      }
    });
  });
};
