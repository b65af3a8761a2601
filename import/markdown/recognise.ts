import { generatorsAt } from '../engine/generators.ts';
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
    ({ path }) => POST_FILE.test(path) && whyHidden(path) === null && !PAGE_NAME.test(stemOf(path)),
  );
  const isFound =
    posts.some(({ path }) => MARKDOWN.test(path)) ||
    (await someBegin(posts, POST_FILE, (text) => FRONT_MATTER.test(text)));
  return isFound ? 'a folder of Markdown' : null;
}

/** `readme` for `docs/readme.md` */
function stemOf(path: string): string {
  return path.replace(/^.*\//, '').replace(/\.[^.]*$/, '');
}
