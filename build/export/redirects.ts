/** Redirects from the files of former slugs, for hosts that read them from the tree. */
import type { NameEntry } from '../../contract/name-table.ts';
import type { Snapshot } from '../../gateway/snapshot/snapshot.ts';
import { pathOf } from './paths.ts';
import { fileOf, type TreeFile } from './tree-file.ts';

/** @param former each former slug, with its article's current slug */
export async function redirectFiles(
  snapshot: Snapshot,
  former: AsyncIterable<NameEntry>,
): Promise<readonly TreeFile[]> {
  const moves: { readonly from: string; readonly to: string }[] = [];
  for await (const [name, slug] of former) {
    if ((await snapshot.find('post', name)) !== null) continue; // Another article uses it.
    moves.push({ from: pathOf('post', name), to: pathOf('post', slug) });
  }
  const lines = (line: (move: (typeof moves)[number]) => string) =>
    moves.map((move) => `${line(move)}\n`).join('');
  return [
    // Cloudflare Pages, Netlify.
    fileOf(
      '_redirects',
      lines(({ from, to }) => `/${from} /${to} 301`),
    ),
    // To include in a `server` of nginx. Paths have no characters that nginx treats specially.
    fileOf(
      'redirects.nginx.conf',
      lines(
        ({ from, to }) =>
          `location = /${from} { absolute_redirect off; add_header Access-Control-Allow-Origin "*"; return 301 /${to}; }`,
      ),
    ),
  ];
}
