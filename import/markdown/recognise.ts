import { join } from 'node:path';
import { generatorsAt } from '../engine/generators.ts';
import { SiteBelow } from '../errors.ts';
import { type Look, someBegin } from '../sources/look.ts';
import { PAGE_NAME, POST_FILE, whyHidden } from './page.ts';

const MARKDOWN = /\.(?:mdx?|markdown|mkdn?|mdown)$/i;
/** YAML, TOML or JSON. */
const FRONT_MATTER = /^(?:---|\+\+\+|\{)\s/;

/** A folder with a file that may be a post: a README is none, and HTML needs front matter. */
export async function recogniseMarkdown(look: Look): Promise<string | null> {
  if (look.kind !== 'folder') return null;
  const generators = await generatorsAt(look.path);
  if (generators[0] === 'Hugo' || generators[0] === 'Jekyll') return null;
  const posts = look.files.filter(
    (path) => POST_FILE.test(path) && whyHidden(path) === null && !PAGE_NAME.test(stemOf(path)),
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
    const [generator] = await generatorsAt(join(folder, name)).catch(() => []);
    if (generator === 'Hugo' || generator === 'Jekyll') sites.push(name);
  }
  return sites;
}

/** `readme` for `docs/readme.md` */
function stemOf(path: string): string {
  return path.replace(/^.*\//, '').replace(/\.[^.]*$/, '');
}
