import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const own = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** The files that the page loads: where they are, and their media types. */
const ASSETS = {
  'scalar.js': {
    at: join(require.resolve('@scalar/fastify-api-reference'), '../js/standalone.js'),
    type: 'text/javascript; charset=utf-8',
  },
  'page.js': { at: own('page.js'), type: 'text/javascript; charset=utf-8' },
  'page.css': { at: own('page.css'), type: 'text/css; charset=utf-8' },
  'icon.svg': { at: own('icon.svg'), type: 'image/svg+xml' },
} as const;

export type AssetName = keyof typeof ASSETS;

export interface Asset {
  readonly name: AssetName;
  readonly type: string;
  readonly body: Buffer;
}

/** Reads the files that the page loads; `scalar.js` is the API reference. */
export function readAssets(): Asset[] {
  return Object.entries(ASSETS).map(([name, { at, type }]) => ({
    name: name as AssetName, // A key of the table.
    type,
    body: readFileSync(at),
  }));
}
