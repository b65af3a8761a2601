/** What the documents point at is there: files, headings, paths in the text, npm scripts. */
import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codeBlocks, DOCUMENTS, inlineCode, read, ROOT, withoutBlocks } from './documents.ts';

const FOLDERS = /^(?:bench|build|cli|client|contract|data|docs|examples|gateway|out|test)\//;

/** What comes into being only when the program runs. */
const MADE = /^(?:out\/.+|data\/[\w-]+\.db)$/;

const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('package.json'));

/** The anchor that GitHub makes of a heading. */
function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

describe.each(DOCUMENTS)('%s', (path) => {
  const text = read(path);

  it('has links that lead somewhere', () => {
    for (const [, target = ''] of withoutBlocks(text).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(target)) continue;
      const [file = '', anchor] = target.split('#');
      const linked = file === '' ? path : posix.join(posix.dirname(path), file);
      expect(existsSync(ROOT + linked), `${target} in ${path}`).toBe(true);
      if (anchor === undefined) continue;
      const headings = [...withoutBlocks(read(linked)).matchAll(/^#+ (.+)$/gm)];
      expect(headings.map(([, heading = '']) => anchorOf(heading))).toContain(anchor);
    }
  });

  it('names only paths that exist', () => {
    const paths = inlineCode(text).filter(
      (code) =>
        FOLDERS.test(code) && /^[\w./-]+$/.test(code) && !(MADE.test(code) && code !== 'out/README.md'),
    );
    expect(paths.filter((named) => !existsSync(ROOT + named))).toEqual([]);
  });

  it('names only npm scripts that exist', () => {
    const shown = [...codeBlocks(text).map(({ code }) => code), ...inlineCode(text)].join('\n');
    const names = [...shown.matchAll(/\bnpm (?:run (?:-s )?([\w:-]+)|(start|test)\b)/g)];
    for (const [, run, short] of names) expect(Object.keys(scripts)).toContain(run ?? short);
  });
});
