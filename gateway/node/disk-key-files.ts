import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../common/errors.ts';
import type { KeyFiles } from '../known-keys.ts';

/** Keys in the output folder. A small file is read at once: cheaper than a promise, and seldom. */
export function diskKeyFiles(out: string): KeyFiles {
  return {
    hashOf: (key) => hash('sha256', key, 'hex'),
    read(path) {
      try {
        return readFileSync(join(out, path), 'utf8');
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return null;
        throw error;
      }
    },
  };
}
