import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeSite, PAGE_PATH, type SiteFile } from '../site/site.ts';
import { CurrentSnapshot } from '../snapshot/current.ts';
import { DiskSnapshotStore } from './disk-snapshot-store.ts';
import { firstSnapshot } from './serve.ts';
import { readAssets } from './site-assets.ts';

/** Enough for the few objects that examples are made from. */
const CACHE_BYTES = 2 ** 24;

/**
 * Writes the site as files, for hosts that serve such: `index.html`, `openapi.json`, `docs/…`, and
 * `_headers`, by which Cloudflare's static assets know what headers each has.
 *
 * @param out the output folder, whose current snapshot the site speaks of
 * @param folder is made where there is none; what else lies in it stays
 * @returns the paths of the site: `/`, `/openapi.json`, …
 * @throws NothingPublished, or what writing a file throws
 */
export async function writeSite(out: string, folder: string): Promise<string[]> {
  const sizes = { objectBytes: CACHE_BYTES, answerBytes: CACHE_BYTES };
  const snapshot = await firstSnapshot(new CurrentSnapshot(new DiskSnapshotStore(out), sizes), out);
  const files = await makeSite(snapshot, await readAssets());
  for (const { path, body } of files) {
    const target = join(folder, path === PAGE_PATH ? 'index.html' : path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, body);
  }
  await writeFile(join(folder, '_headers'), headersFile(files));
  return files.map(({ path }) => path);
}

/** `_headers`: a path, then its headers, one a line, indented. */
function headersFile(files: readonly SiteFile[]): string {
  return files
    .map(({ path, headers }) => {
      const lines = Object.entries(headers).map(([name, value]) => `  ${name}: ${value}\n`);
      return `${path}\n${lines.join('')}`;
    })
    .join('');
}
