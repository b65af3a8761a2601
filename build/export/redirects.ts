/** Redirects from the files of former slugs, for hosts that read them from the tree. */
import type { NameEntry } from '../../contract/name-table.ts';
import type { Snapshot } from '../../gateway/snapshot/snapshot.ts';
import { answerPath } from './paths.ts';
import { textFile, type TreeFile } from './tree-file.ts';

/** @param former each former slug, with its article's current slug */
export async function redirectFiles(
  snapshot: Snapshot,
  former: AsyncIterable<NameEntry>,
): Promise<readonly TreeFile[]> {
  const moves: { readonly from: string; readonly to: string }[] = [];
  for await (const [name, slug] of former) {
    if ((await snapshot.find('post', name)) !== null) continue; // Another article uses it.
    moves.push({ from: answerPath('post', name), to: answerPath('post', slug) });
  }
  const lines = (line: (move: (typeof moves)[number]) => string) =>
    moves.map((move) => `${line(move)}\n`).join('');
  return [
    // Cloudflare Pages, Netlify.
    textFile(
      '_redirects',
      lines(({ from, to }) => `/${from} /${to} 301`),
    ),
    // To include in a `server` of nginx. Paths have no characters that nginx treats specially.
    textFile(
      'redirects.nginx.conf',
      lines(
        ({ from, to }) =>
          `location = /${from} { absolute_redirect off; add_header Access-Control-Allow-Origin "*"; return 301 /${to}; }`,
      ),
    ),
  ];
}
