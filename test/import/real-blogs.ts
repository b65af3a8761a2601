import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deserialize, serialize } from 'node:v8';
import { FORMATS } from '../../import/formats.ts';
import type { ImportedItem } from '../../import/imported-item.ts';
import { onceARun } from '../service/once-a-run.ts';
import { allOf, NOW } from './folder.ts';

/** The folder of real blogs, next to the checkout. Without it their tests are skipped. */
export const REAL_BLOGS = fileURLToPath(new URL('../../../shared/blogs/', import.meta.url));

export const HAS_REAL_BLOGS = existsSync(REAL_BLOGS);

/**
 * The importer's result for a real blog at NOW, cached: several files need it, and rendering a large one takes
 * seconds.
 */
export async function readRealBlog(format: keyof typeof FORMATS, path: string): Promise<ImportedItem[]> {
  const folder = await onceARun(`read-${format}-${path.replaceAll('/', '-')}`, async (into) => {
    const items = await allOf(FORMATS[format].read(join(REAL_BLOGS, path), { now: NOW, plain: true }));
    writeFileSync(join(into, 'items'), serialize(items));
  });
  const items: ImportedItem[] = deserialize(readFileSync(join(folder, 'items')));
  return items;
}
