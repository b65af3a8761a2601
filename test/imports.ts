import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const SPECIFIER =
  /^\s*(?:import|export)\b[^'";]*?\bfrom\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]|\b(?:import|require)\(\s*['"]([^'"]+)['"]/gm;

/** What a file imports: `node:fs`, `lru-cache`, `./reply.ts`. */
export function importsOf(text: string): string[] {
  return [...text.matchAll(SPECIFIER)].map(([, from, bare, called]) => from ?? bare ?? called ?? '');
}

/** The absolute paths of these files of the project, and of all files that they import, also indirectly. */
export function withImports(paths: readonly string[]): string[] {
  const found = new Set(paths.map((path) => new URL(`../${path}`, import.meta.url).href));
  for (const file of found)
    for (const specifier of importsOf(readFileSync(new URL(file), 'utf8')))
      if (/^\.{1,2}\/.*\.ts$/.test(specifier)) found.add(new URL(specifier, file).href);
  return [...found].map((file) => fileURLToPath(file));
}
