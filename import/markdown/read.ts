import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import { PostUnreadable } from '../../common/content/errors.ts';
import { FolderIsFile, FolderMissing, NotAPost } from '../errors.ts';
import type { ImportedItem, ImportedPost } from '../imported-item.ts';
import { HTML_LEFT_OUT } from '../../common/content/goldmark.ts';
import { tidyText } from '../../common/content/text.ts';
import { codeOf, filesBelow, mustBeReadable, statOf } from '../sources/files.ts';
import { liquidRenderer } from './liquid/render.ts';
import { readLiquidSite } from './liquid/site.ts';
import { readIgnored } from './ignored.ts';
import { readInheritance } from './inherited.ts';
import { translationsAmong } from './paths.ts';
import { placeOf } from './place.ts';
import { postFrom, type Blog } from './post.ts';
import { outsidePosts, type Wanted } from './sections.ts';
import { shortcodeName, shortcodesFrom, type Shortcodes } from './shortcodes.ts';
import { readSite, type Site } from './site.ts';
import { zolaShortcodes } from './zola-shortcodes.ts';

/** Larger files are not written by hand; the largest known post has 170 kB. */
const MAX_BYTES = 10_000_000;

const POST_FILE = /\.(?:mdx?|markdown|mkdn?|mdown|text|html?)$/i;

/** The wanted posts of a whole site, as in FormatOptions, and the time of the import. */
export interface MarkdownOptions extends Wanted {
  readonly now: Date;
  readonly language?: string | undefined;
}

/**
 * Reads a folder of posts in Markdown or HTML with front matter, as Jekyll, Hugo, Zola and 11ty have them. The steps
 * for a file:
 *
 *     filesBelow    every file, in a fixed order, no symbolic links        ../sources/files.ts
 *     readSite      the site's configuration and its authors' data         site.ts
 *     readInheritance    what files inherit from folders                   inherited.ts
 *     placeOf       facts in the path: date, name, language, bundle        place.ts
 *     splitPage     front matter (YAML, TOML, JSON) and body               front-matter.ts
 *     readIgnored   files that the generator ignores                       ignored.ts
 *     whyNoPost     section pages, READMEs and the like                    page.ts
 *     postFrom      the fields of a post, one rule a file                  post.ts
 *     expandTemplates, renderMarkdown    the body                          template.ts, render.ts
 *
 * Each file becomes a post or is skipped with a reason; none stops the import. `now` tells which posts are scheduled.
 *
 * @throws FolderMissing, FolderIsFile, PathUnreadable
 */
export async function* readMarkdownBlog(
  folder: string,
  { now, section, collection, language }: MarkdownOptions,
): AsyncGenerator<ImportedItem> {
  const given = await statOf(folder);
  if (given === null) throw new FolderMissing(folder);
  if (!given.isDirectory()) throw new FolderIsFile(folder);
  await mustBeReadable(folder);
  const root = await realpath(folder);

  const found = await filesBelow(root);
  const paths = found.filter(({ kind }) => kind === 'file').map(({ path }) => path);
  const site = await readSite(root, paths);
  yield {
    kind: 'blog',
    blog: {
      ...{ format: 'markdown', key: root, name: basename(root), isWhole: true },
      site: { name: site.name, url: site.url },
    },
  };
  for (const file of found) {
    if (file.kind !== 'skipped') continue;
    if (file.path.endsWith('/')) yield skipped(file.path, file.reason);
    else yield unread(file.path, file.reason);
  }

  const read = (path: string): Promise<string> => readText(join(root, path));
  const inheritance = await readInheritance(paths, site, read);
  const ignored = await readIgnored(root, paths, site, read);
  for (const pattern of ignored.unused)
    yield {
      kind: 'note',
      text: `Hugo's ignoreFiles has "${pattern.slice(0, 200)}", which cannot be used here: its files come in. "import hugo" leaves them out.`,
    };
  const blog: Blog = {
    site,
    whyIgnored: ignored.why,
    paths: new Set(paths),
    above: root.split(sep),
    jekyllRoot: jekyllRootOf(paths),
    inheritance,
    shortcodes: await readShortcodes(root, paths, site),
    liquid:
      site.generator === 'jekyll'
        ? liquidRenderer(
            site,
            await readLiquidSite(
              paths.filter((path) => ignored.why(path) === null || /(?:^|\/)_(?:includes|data)\//.test(path)),
              site,
              { frontMatterOf: inheritance.of, read, now },
            ),
            new Set(paths),
            now,
          )
        : null,
    now,
  };
  const isTranslation = translationsAmong(paths);
  const whyOutside = outsidePosts(paths, site, { section, collection });
  let withoutHtml = 0;
  for (const path of paths) {
    const outside = POST_FILE.test(path) && !site.used.has(path) ? whyOutside(path) : null;
    if (outside !== null) {
      yield skipped(path, outside);
      continue;
    }
    const items = await itemsFrom(root, path, blog, isTranslation);
    if (items.some((item) => item.kind === 'post' && isOtherLanguage(item.post, language, site))) {
      yield skipped(path, `is not in the language "${language}"`);
      continue;
    }
    for (const item of items) {
      if (item.kind === 'loss' && item.loss.what === HTML_LEFT_OUT) withoutHtml += 1;
      else yield item;
    }
  }
  if (withoutHtml > 0) yield { kind: 'note', text: htmlLeftOut(withoutHtml) };
}

function htmlLeftOut(posts: number): string {
  return (
    `HTML in the Markdown of ${posts === 1 ? 'a post' : `${posts} posts`} was left out, as Hugo does. ` +
    'To show it, set markup.goldmark.renderer.unsafe in the configuration of the site.'
  );
}

function isOtherLanguage(post: ImportedPost, wanted: string | undefined, site: Site): boolean {
  return wanted !== undefined && (post.language ?? site.language) !== wanted.toLowerCase();
}

/** A post with its losses, or a skipped file. */
async function itemsFrom(
  root: string,
  path: string,
  blog: Blog,
  isTranslation: ReturnType<typeof translationsAmong>,
): Promise<ImportedItem[]> {
  const others: ImportedItem[] = [];
  const lose = (what: string, detail?: string): void =>
    void others.push({
      kind: 'loss',
      loss: { what, source: `markdown:${path}`, ...(detail === undefined ? {} : { detail }) },
    });
  const alias = (other: string): void => void others.push({ kind: 'alias', path: other });
  const item = await itemFrom(root, path, blog, isTranslation, lose, alias);
  return item.kind === 'post' ? [item, ...others] : [item];
}

async function itemFrom(
  root: string,
  path: string,
  blog: Blog,
  isTranslation: ReturnType<typeof translationsAmong>,
  lose: (what: string, detail?: string) => void,
  alias: (path: string) => void,
): Promise<ImportedItem> {
  const use = blog.site.used.get(path);
  if (use !== undefined) return skipped(path, use);
  if (!POST_FILE.test(path)) return skipped(path, 'is not a Markdown or HTML file');
  const ignored = blog.whyIgnored(path);
  if (ignored !== null) return skipped(path, ignored);
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  try {
    const text = await readText(join(root, path));
    const place = placeOf(path, (stem, suffix) => isTranslation(folder, stem, suffix));
    return { kind: 'post', post: postFrom(text, place, blog, lose, alias) };
  } catch (error) {
    if (error instanceof NotAPost) return skipped(path, error.message);
    if (error instanceof PostUnreadable) return unread(path, error.message);
    // Other errors in this file must not stop the import of the others.
    return unread(path, `cannot be read (${codeOf(error)})`);
  }
}

async function readShortcodes(
  folder: string,
  paths: readonly string[],
  { root, generator }: Site,
): Promise<Shortcodes | null> {
  if (generator !== 'hugo' && generator !== 'zola') return null;
  const templates = new Map<string, string>();
  const inMarkdown = new Set<string>();
  for (const path of paths) {
    const found = path.startsWith(root) ? shortcodeName(path.slice(root.length)) : null;
    if (found === null || (templates.has(found.name) && !found.isOwn)) continue;
    if (path.endsWith('.md')) inMarkdown.add(found.name);
    // An unreadable template counts as not plain.
    templates.set(found.name, await readText(join(folder, path)).catch(() => '{{ unreadable }}'));
  }
  return generator === 'hugo' ? shortcodesFrom(templates) : zolaShortcodes(templates, inMarkdown);
}

async function readText(path: string): Promise<string> {
  const { size } = await stat(path);
  if (size > MAX_BYTES) throw new PostUnreadable(`is larger than ${MAX_BYTES / 1_000_000} MB`);
  try {
    return tidyText(new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path)));
  } catch (error) {
    if (error instanceof TypeError) throw new PostUnreadable('is not UTF-8 text; convert it');
    throw error;
  }
}

function jekyllRootOf(paths: readonly string[]): string | null {
  const roots = paths.map((path) => /^(?:(.*)\/)?_posts\//.exec(path)).filter((match) => match !== null);
  const depth = (root: string): number => (root === '' ? 0 : root.split('/').length);
  return roots.map((match) => match[1] ?? '').sort((a, b) => depth(a) - depth(b))[0] ?? null;
}

/** An unreadable file or folder that may contain posts, which then stay unchanged. */
function unread(path: string, reason: string): ImportedItem {
  return { kind: 'skipped', skipped: { source: path, reason }, stays: `markdown:${path}` };
}

/** A file that is not a post. */
function skipped(source: string, reason: string): ImportedItem {
  return { kind: 'skipped', skipped: { source, reason, noPost: true } };
}
