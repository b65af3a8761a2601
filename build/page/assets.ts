import { readFileSync } from 'node:fs';
import { objectHash } from '../../common/object-hash.ts';
import { programFile } from '../../common/program-files.ts';
import type { ObjectHash } from '../../contract/object-name.ts';
import { referenceFile } from './reference.ts';

const own = (name: string) => programFile(`build/page/${name}`);

/** The files that the page loads: the files that each is joined from, and its media type. */
const ASSETS = {
  'scalar.js': { from: [referenceFile()], type: 'text/javascript; charset=utf-8' },
  'page.js': { from: [own('page.js')], type: 'text/javascript; charset=utf-8' },
  'page.css': { from: [own('face.css'), own('page.css')], type: 'text/css; charset=utf-8' },
  'icon.svg': { from: [own('icon.svg')], type: 'image/svg+xml' },
} as const;

export type AssetName = keyof typeof ASSETS;

export interface Asset {
  readonly name: AssetName;
  /** `/docs/page.HASH.css`: the bytes never change, so caches may keep it forever. */
  readonly path: string;
  readonly type: string;
  readonly body: Buffer;
  /** Hash of the body. */
  readonly hash: ObjectHash;
}

let assets: readonly Asset[] | undefined;

/** The files that the page loads, read once. `scalar.js`, the API reference, has about 3.6 MB. */
export function readAssets(): readonly Asset[] {
  assets ??= Object.entries(ASSETS).map(([name, { from, type }]) => {
    const body = Buffer.concat(from.map((path) => readFileSync(path)));
    const hash = objectHash(body);
    return {
      name: name as AssetName /* a key of the table */,
      path: assetPath(name, hash),
      type,
      body,
      hash,
    };
  });
  return assets;
}

function assetPath(name: string, hash: string): string {
  const dot = name.lastIndexOf('.');
  return `/docs/${name.slice(0, dot)}.${hash}${name.slice(dot)}`;
}
