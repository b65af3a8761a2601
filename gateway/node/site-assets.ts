import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Asset, type AssetName, assetNames, type Assets } from '../site/site.ts';

/** Where the ready files lie. */
const FILES: Readonly<Record<AssetName, string>> = {
  'scalar.js': fileURLToPath(
    new URL('js/standalone.js', import.meta.resolve('@scalar/fastify-api-reference')),
  ),
  'page.js': fileURLToPath(new URL('../site/page.js', import.meta.url)),
  'page.css': fileURLToPath(new URL('../site/page.css', import.meta.url)),
  'icon.svg': fileURLToPath(new URL('../site/icon.svg', import.meta.url)),
};

/** Reads the ready files. */
export async function readAssets(): Promise<Assets> {
  const entries = assetNames().map(async (name): Promise<[AssetName, Asset]> => {
    const body = new Uint8Array(await readFile(FILES[name]));
    return [name, { body, hash: createHash('sha256').update(body).digest('hex').slice(0, 16) }];
  });
  return Object.fromEntries(await Promise.all(entries)) as Record<AssetName, Asset>;
}
