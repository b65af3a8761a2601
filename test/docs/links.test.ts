/**
 * What the documents name exists: files, headings, paths in the text, npm scripts, messages.
 */
import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import fastGlob from 'fast-glob';
import { describe, expect, it } from 'vitest';
import { codeBlocks, DOCUMENTS, inlineCode, read, ROOT } from './documents.ts';
import { section, tableRows, withoutBlocks } from './documents.ts';

const FOLDERS = /^(?:bench|build|cli|client|contract|data|docs|examples|gateway|out|test)\//;

/** Created only when the program runs. */
const MADE = /^(?:out\/.+|data\/[\w-]+\.db)$/;

const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('package.json'));

/** The target of a relative link in a document: a path from ROOT, and an anchor. */
function linksOf(path: string): { target: string; linked: string; anchor: string | undefined }[] {
  return [...withoutBlocks(read(path)).matchAll(/(?:\]\(|src(?:set)?=")([^)\s"]+)/g)].flatMap(
    ([, target = '']) => {
      if (/^https?:/.test(target)) return [];
      const [file = '', anchor] = target.split('#');
      return [{ target, linked: file === '' ? path : posix.join(posix.dirname(path), file), anchor }];
    },
  );
}

/** GitHub's anchor for a heading. */
function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

describe.each(DOCUMENTS)('%s', (path) => {
  const text = read(path);

  it('has links with existing targets', () => {
    for (const { target, linked, anchor } of linksOf(path)) {
      expect(existsSync(ROOT + linked), `${target} in ${path}`).toBe(true);
      if (anchor === undefined) continue;
      const headings = withoutBlocks(read(linked)).match(/(?<=^#+ ).+$/gm) ?? [];
      expect(headings.map(anchorOf), `${target} in ${path}`).toContain(anchor);
    }
  });

  it('names only paths that exist', () => {
    const paths = inlineCode(text).filter(
      (code) =>
        FOLDERS.test(code) && /^[\w./-]+$/.test(code) && !(MADE.test(code) && code !== 'out/README.md'),
    );
    expect(paths.filter((named) => !existsSync(ROOT + named))).toEqual([]);
  });

  it('installs the files of a release, while others could take the names at npm', () => {
    expect(text).not.toMatch(
      /(?:npm install (?:--[\w-]+ )*|npx --package=)offprint(?:-client)?(?![\w.-])|npx (?:offprint|-y|--yes)/,
    );
  });

  it('names only npm scripts that exist', () => {
    const shown = [...codeBlocks(text).map(({ code }) => code), ...inlineCode(text)].join('\n');
    const names = [...shown.matchAll(/\bnpm (?:run (?:-s )?([\w:-]+)|(start|test)\b)/g)];
    for (const [, run, short] of names) expect(Object.keys(scripts)).toContain(run ?? short);
  });
});

it('docs/README.md links to each page, and docs/decisions/README.md to each decision', () => {
  const index = 'docs/README.md';
  const indexOf = (path: string) => (/^docs\/decisions\/\d/.test(path) ? 'docs/decisions/README.md' : index);
  const pages = DOCUMENTS.filter((path) => path.startsWith('docs/') && path !== index);
  const isLinked = (path: string) => linksOf(indexOf(path)).some(({ linked }) => linked === path);
  expect(pages.filter((path) => !isLinked(path))).toEqual([]);
});

it('docs/operators/troubleshooting.md explains only messages that exist', () => {
  const source = fastGlob
    .sync('{build,cli,common,contract,data,gateway,import}/**/*.{ts,mjs}', { cwd: ROOT })
    .map((path) => read(path).replace(/^\s*(?:\/\*|\*|\/\/).*$/gm, ''))
    .join('\n');
  const rows = tableRows(section('docs/operators/troubleshooting.md', '## Messages'));
  const messages = rows.flatMap(([message = '']) => inlineCode(message));
  expect(messages.length).toBeGreaterThan(3);
  expect(messages.filter((message) => !source.includes(message))).toEqual([]);
});
