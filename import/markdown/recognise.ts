import { join } from 'node:path';
import { enginesAt } from '../engine/site-around.ts';
import { SiteBelow } from '../errors.ts';
import { type Look, someBegin } from '../sources/look.ts';
import { POST_FILE, whyHidden } from './page.ts';

const MARKDOWN = /\.(?:md|markdown|mkdn?|mdown)$/i;
/** Files of a repository about itself. */
const README = /^(?:readme|licen[cs]e|contributing|changelog)$/i;
/** YAML, TOML or JSON. */
const FRONT_MATTER = /^(?:---|\+\+\+|\{)\s/;

/** A folder with a file that may be a post: a README is none, and HTML needs front matter. */
export async function recogniseMarkdown(look: Look): Promise<string | null> {
  if (look.kind !== 'folder') return null;
  if ((await enginesAt(look.path)).length > 0) return null;
  const posts = look.files.filter(
    (path) => POST_FILE.test(path) && whyHidden(path) === null && !README.test(stemOf(path)),
  );
  const sites = posts.every((path) => path.includes('/')) ? await sitesIn(look) : [];
  if (sites.length > 0 && posts.every((path) => sites.some((site) => path.startsWith(`${site}/`))))
    throw new SiteBelow(look.path, sites);
  const isFound =
    posts.some((path) => MARKDOWN.test(path)) ||
    (await someBegin(look.path, posts, (text) => FRONT_MATTER.test(text)));
  return isFound ? 'a folder of Markdown' : null;
}

/** The folders in a folder that are sites of Hugo or Jekyll. */
async function sitesIn({
  path: folder,
  files,
}: Extract<Look, { files: unknown }>): Promise<readonly string[]> {
  const names = new Set(
    files.map((path) => path.split('/', 1)[0] ?? '').filter((name) => !name.startsWith('.')),
  );
  const sites: string[] = [];
  for (const name of names) {
    const engines = await enginesAt(join(folder, name)).catch(() => []);
    if (engines.length > 0) sites.push(name);
  }
  return sites;
}

/** `readme` for `docs/readme.md` */
function stemOf(path: string): string {
  return path.replace(/^.*\//, '').replace(/\.[^.]*$/, '');
}
