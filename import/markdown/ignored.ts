import { join } from 'node:path';
import { field, wordsOf } from './fields.ts';
import { isList, type FrontValue } from './front-matter.ts';
import { matchesGlob } from './glob.ts';
import type { Site } from './site.ts';

/** Why the site's generator ignores a file; null: it does not. */
export type WhyIgnored = (path: string) => string | null;

/** The files that a site ignores, as far as its patterns are supported. */
export interface Ignored {
  readonly why: WhyIgnored;
  /** Unsupported patterns. */
  readonly unused: readonly string[];
}

const NAME = 'has a name that its generator ignores';
const FOLDER = 'is in a folder that its generator ignores';
const LISTED = 'is left out by the configuration of its site';

/**
 * Files that generators do not render, because of their names or the site's settings: `exclude` of Jekyll and Hexo,
 * `ignoreFiles` of Hugo, `ignored_content` of Zola, `.eleventyignore` and `.gitignore` of Eleventy.
 *
 * @param folder the imported one
 * @param read reads the text of a file
 */
export async function readIgnored(
  folder: string,
  paths: readonly string[],
  site: Site,
  read: (path: string) => Promise<string>,
): Promise<Ignored> {
  const isListed = await listedBy(folder, paths, site, read);
  return {
    why: (path) => whyHidden(path, site.generator) ?? (isListed(path) ? LISTED : null),
    unused: hugoPatterns(site).filter((text) => plainPattern(text) === null),
  };
}

function hugoPatterns({ generator, config }: Site): string[] {
  return generator === 'hugo' ? textsOf(field(config, 'ignoreFiles')) : [];
}

/**
 * No generator publishes names that begin with a dot. Jekyll, Astro and Docusaurus also ignore names that begin with
 * `_`; Hugo and Zola do not. If the generator is unknown, such a file is ignored.
 */
function whyHidden(path: string, generator: Site['generator']): string | null {
  if (/(?:^|\/)\./.test(path)) return NAME;
  if (generator === 'hugo' || generator === 'zola') return null;
  if (/(?:^|\/)_(?!index\.)[^/]*$/.test(path) || /(?:^|\/)_posts\/(?:.*\/)?_/.test(path)) return NAME;
  return generator === null && /(?:^|\/)_(?!(?:posts|drafts?|pages)\/)[^/]+\//i.test(path) ? FOLDER : null;
}

async function listedBy(
  folder: string,
  paths: readonly string[],
  site: Site,
  read: (path: string) => Promise<string>,
): Promise<(path: string) => boolean> {
  const { generator, config, root } = site;
  const ofSite = (is: (path: string) => boolean) => (path: string) =>
    path.startsWith(root) && is(path.slice(root.length));
  if (generator === 'jekyll') {
    const kept = new Set(textsOf(field(config, 'include')));
    const patterns = [...textsOf(field(config, 'exclude')), ...textsOf(field(config, 'ignore'))];
    return ofSite(excluded(patterns.filter((pattern) => !kept.has(pattern))));
  }
  if (generator === 'hugo') {
    const patterns = hugoPatterns(site).flatMap((text) => plainPattern(text) ?? []);
    return (path) => patterns.some((pattern) => pattern.test(join(folder, path)));
  }
  if (generator === 'zola') {
    const patterns = textsOf(field(config, 'ignored_content'));
    return ofSite((path) => patterns.some((pattern) => isInContent(path, pattern)));
  }
  if (
    !paths.some((path) => /^(?:\.eleventy\.c?js|eleventy\.config\.[cm]?[jt]s|\.eleventyignore)$/.test(path))
  )
    return () => false;
  const lists = ['.gitignore', '.eleventyignore'].filter((name) => paths.includes(name));
  const texts = await Promise.all(lists.map((name) => read(name).catch(() => '')));
  return gitIgnored(texts.join('\n'));
}

/** Jekyll also matches a pattern as a prefix, and Hexo's are relative to its folder `source`. */
function excluded(patterns: readonly string[]): (path: string) => boolean {
  const is = (path: string): boolean =>
    patterns.some(
      (pattern) => path.startsWith(pattern) || withParents(path).some((part) => matches(part, pattern)),
    );
  return (path) => is(path) || is(path.replace(/^source\//, ''));
}

/** Zola matches its patterns against the whole path, and people write only names. */
function isInContent(path: string, pattern: string): boolean {
  const below = path.replace(/^content\//, '');
  return [below, path, `/${path}`, below.replace(/^.*\//s, '')].some((part) => matches(part, pattern));
}

function matches(path: string, pattern: string): boolean {
  return matchesGlob(path, pattern, { crossesFolders: true });
}

/** A path and its parent folders. */
function withParents(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, i) => parts.slice(0, i + 1).join('/'));
}

/**
 * Converts one of Hugo's regular expressions to JavaScript; null if it would be slow: JavaScript backtracks, and Go
 * does not.
 */
function plainPattern(written: string): RegExp | null {
  const repeats = written.match(/[*+{]/g)?.length ?? 0;
  if (written.length > 200 || repeats > 2 || /\)[*+{]/.test(written)) return null;
  try {
    return new RegExp(written, 'u');
  } catch {
    return null;
  }
}

/** https://git-scm.com/docs/gitignore#_pattern_format: the last matching line decides. */
function gitIgnored(text: string): (path: string) => boolean {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const isKept = line.startsWith('!');
      const pattern = line.replace(/^!/, '').replace(/\/$/, '');
      const isAnchored = pattern.includes('/');
      return { isKept, isFolder: line.endsWith('/'), isAnchored, pattern: pattern.replace(/^\//, '') };
    });
  return (path) => {
    const parts = withParents(path);
    let isIgnored = false;
    for (const { isKept, isFolder, isAnchored, pattern } of lines) {
      const isMeant = parts.some((part, i) => {
        if (isFolder && i === parts.length - 1) return false;
        return matchesGlob(isAnchored ? part : part.replace(/^.*\//s, ''), pattern, {
          crossesFolders: false,
        });
      });
      if (isMeant) isIgnored = !isKept;
    }
    return isIgnored;
  };
}

function textsOf(value: FrontValue | undefined): string[] {
  return (isList(value) ? value : [value]).map(wordsOf).filter(Boolean);
}
