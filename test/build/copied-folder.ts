import { copyFileSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Copies a folder including modes, which a build sets; `cpSync` makes folders readable for others. */
export function copyFolder(from: string, to: string): void {
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const copy = join(to, relative(from, path));
    if (entry.isDirectory()) mkdirSync(copy, { recursive: true, mode: statSync(path).mode });
    else copyFileSync(path, copy);
  }
}
