/**
 * What a service shows beside its interface: the page at `/`, the description at `/openapi.json`, and the
 * files that the page needs, under `/docs/`. All of it is fixed for a snapshot, so a home can keep it in
 * memory or write it to files. Nothing of it counts as a request.
 *
 *   page.ts        the page, with an introduction of our own
 *   page.css       its look, and that of the reference in it
 *   page.js        what it does in the browser: theme, tabs, the reference
 *   security.ts    what the page may load and do
 */
import { describeInterface } from '../description/openapi.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { renderPage } from './page.ts';
import { FILE_SECURITY, pageSecurity } from './security.ts';

/** A ready file that the page loads, and the hash that stands in its name. */
export interface Asset {
  readonly body: Uint8Array<ArrayBuffer>;
  /** Letters and digits. */
  readonly hash: string;
}

/** The ready files, by what they are. `scalar` is the reference's own script. */
export type Assets = Readonly<Record<AssetName, Asset>>;
export type AssetName = keyof typeof ASSET_TYPES;

/** Names under `/docs/`, with the media type of each. */
export const ASSET_TYPES = {
  'scalar.js': 'text/javascript; charset=utf-8',
  'page.js': 'text/javascript; charset=utf-8',
  'page.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
} as const;

/** One file of the site. */
export interface SiteFile {
  /** From the root: `/openapi.json`. */
  readonly path: string;
  readonly body: Uint8Array<ArrayBuffer>;
  /** Content-Type, Cache-Control and what secures it; validators and lengths are the home's. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The paths that change with the snapshot. */
export const PAGE_PATH = '/';
export const DESCRIPTION_PATH = '/openapi.json';

/** Where an asset is: `/docs/page.3f2a….css`. It never changes there, so it may be kept for good. */
export function assetPath(name: AssetName, { hash }: Asset): string {
  const dot = name.lastIndexOf('.');
  return `/docs/${name.slice(0, dot)}.${hash}${name.slice(dot)}`;
}

const encoder = new TextEncoder();
const CHECKED = 'public, max-age=60';
const FOR_GOOD = 'public, max-age=31536000, immutable';

/** All files of the site, for one snapshot. */
export async function makeSite(snapshot: Snapshot, assets: Assets): Promise<SiteFile[]> {
  const { policy, site } = snapshot.directory;
  const description = JSON.stringify(await describeInterface(snapshot));
  const addresses = Object.fromEntries(
    assetNames().map((name) => [name, assetPath(name, assets[name])]),
  ) as Record<AssetName, string>;
  const page = renderPage({ site: site.name, apiUrl: site.api_url, limits: policy.limits, addresses });
  return [
    {
      path: PAGE_PATH,
      body: encoder.encode(page),
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Cache-Control': CHECKED,
        ...pageSecurity(site.api_url),
      },
    },
    {
      path: DESCRIPTION_PATH,
      body: encoder.encode(description),
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        'Cache-Control': CHECKED,
        'Access-Control-Allow-Origin': '*',
        ...FILE_SECURITY,
      },
    },
    ...assetNames().map((name) => ({
      path: addresses[name],
      body: assets[name].body,
      headers: { 'Content-Type': ASSET_TYPES[name], 'Cache-Control': FOR_GOOD, ...FILE_SECURITY },
    })),
  ];
}

export function assetNames(): AssetName[] {
  return Object.keys(ASSET_TYPES) as AssetName[];
}
