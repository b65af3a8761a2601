import { hasExpired, isAfter } from '../common/content/date.ts';
import { shownAddress } from '../common/shown-address.ts';
import { ImportError } from './errors.ts';
import { FORMAT_NAMES, type FormatName } from './format-names.ts';
import { computeFingerprint, isRemote } from './sources/fingerprint.ts';
import type { ImportedItem, ReadItem } from './imported-item.ts';
import type { FormatOptions, ReadOptions } from './read-options.ts';

/**
 * The reading of a blog: paths and options in, posts out. The steps:
 *
 *     recogniseBlog  which formats can read a source                  recognise.ts; sources/probe.ts
 *     readBlog     the format's row, and which options it takes       here; format-names.ts, read-options.ts
 *     `read`       its files, export or address → posts, one by one   the format's folder
 *     applyDates   which posts are scheduled, and which have expired  here
 *     ImportedItem what comes out                                     imported-item.ts
 *
 * A format's `read` uses what formats share:
 *
 *     sources/     files, downloads                                   xml/      elements, texts of Atom
 *     article/     addresses, people, terms, titles, players          engine/   a site's own generator
 *     running/     a blog that is read over its API                   front-matter/   its syntaxes and fields
 *     changes.ts   what is new since the last import
 *
 * Dates, slugs, plain text and Markdown are in common/content/. The database is written by data/imported/import.ts.
 */

/** A format of blogs. To add one, see docs/contributors/importers.md. */
export interface Format {
  /** For the list of formats in the command's help. */
  readonly description: string;
  /** Reads a folder, a file or an address. @throws ImportError if nothing can be read */
  readonly read: (path: string, options: ReadOptions) => AsyncIterable<ImportedItem>;
  /** For a format whose export may consist of several files: reads all of them. */
  readonly readFiles?: (paths: readonly string[], options: ReadOptions) => AsyncIterable<ImportedItem>;
  /** The options of FORMAT_OPTIONS that it takes. */
  readonly options?: readonly (keyof FormatOptions)[];
  /** It reads one state of its source, also while that is written to. */
  readonly readsOneState?: boolean;
}

type Reader<Source, Item> = (source: Source, options: ReadOptions) => AsyncIterable<Item>;

/** Loads a reader on first use: all of them cost every build a third of a second, and most builds use none. */
function loaded<Source>(load: () => Promise<Reader<Source, ReadItem>>): Reader<Source, ImportedItem> {
  return async function* (source, options) {
    const read = await load();
    for await (const item of read(source, options)) yield applyDates(item, options.now);
  };
}

/** A post by its dates: it is published or scheduled, or no longer public. */
function applyDates(item: ReadItem, now: Date): ImportedItem {
  if (item.kind !== 'post') return item;
  const { source, publishedAt } = item.post;
  if (hasExpired(item.post, now)) return { kind: 'hidden', hidden: { source, reason: 'expired' } };
  return {
    kind: 'post',
    post: { ...item.post, status: isAfter(publishedAt, now) ? 'scheduled' : 'published' },
  };
}

const readGhostExport = loaded(async () => (await import('./ghost/read.ts')).readGhostExport);
const readRunningGhost = loaded(async () => (await import('./ghost/running.ts')).readRunningGhost);
const readWordPressExport = loaded(async () => (await import('./wordpress/read.ts')).readWordPressExport);
const readRunningWordPress = loaded(
  async () => (await import('./wordpress/running.ts')).readRunningWordPress,
);
const readFeeds = loaded(async () => (await import('./feed/read.ts')).readFeeds);

export const FORMATS = {
  markdown: {
    description: 'a folder of Markdown or HTML files with front matter',
    read: loaded(async () => (await import('./markdown/read.ts')).readMarkdownBlog),
    options: ['plain'],
  },
  hugo: {
    description: 'the folder of a Hugo site, rendered by Hugo',
    read: loaded(async () => (await import('./hugo/read.ts')).readHugoSite),
    options: ['section', 'language', 'engine', 'plain'],
  },
  jekyll: {
    description: 'the folder of a Jekyll site, rendered by Jekyll',
    read: loaded(async () => (await import('./jekyll/read.ts')).readJekyllSite),
    options: ['collection', 'language', 'engine', 'plain'],
  },
  ghost: {
    description: 'the JSON export of a Ghost blog, or the URL of a running Ghost',
    read: (path, options) =>
      isRemote(path) ? readRunningGhost(path, options) : readGhostExport([path], options),
    readFiles: readGhostExport,
    options: ['key', 'all'],
  },
  wordpress: {
    description: 'the XML export of a WordPress blog (Tools, Export), or the URL of a running WordPress',
    read: (path, options) =>
      isRemote(path) ? readRunningWordPress(path, options) : readWordPressExport([path], options),
    readFiles: readWordPressExport,
    options: ['all'],
  },
  feed: {
    description: 'files or URLs of a JSON, Atom or RSS feed; an export of Blogger',
    read: (path, options) => readFeeds([path], options),
    readFiles: readFeeds,
  },
  sql: {
    description: "another program's SQLite database, through a file with SQL views",
    read: loaded(async () => (await import('./sql/read.ts')).readSql),
    options: ['views', 'all'],
    readsOneState: true,
  },
  items: {
    description: 'a file with one JSON object per line, from any other program; "-": standard input',
    read: loaded(async () => (await import('./items/read.ts')).readItems),
  },
} as const satisfies Readonly<Record<FormatName, Format>>;

/**
 * @param before the fingerprint of the paths; by default it is taken when reading begins
 * @throws ImportError, also after the last item if files changed meanwhile
 */
export function readBlog(
  name: FormatName,
  paths: readonly [string, ...string[]],
  options: ReadOptions,
  before?: string,
): AsyncIterable<ImportedItem> {
  const [path, ...others] = paths;
  const read = options.plain && takesOption(name, 'plain') ? 'markdown' : name;
  const format: Format = FORMATS[read];
  refuseOthers(read, format, options);
  const items = others.length > 0 ? format.readFiles?.(paths, options) : format.read(path, options);
  if (items === undefined)
    throw new ImportError(`"import ${name}" takes one path at a time. Import the others separately.`);
  return format.readsOneState && others.length === 0 ? items : checkUnchanged(paths, before, items);
}

/** A format that can read a source, and a description of the source: `a Hugo site`. */
export interface Recognised {
  readonly format: FormatName;
  readonly what: string;
}

/**
 * The formats that can read a source, from a first probe: nothing is rendered, and of an address only the first page is
 * asked for.
 *
 * @throws ExportMissing, PathUnreadable, AddressRefused, ImportError for a web page
 */
export async function recogniseBlog(path: string): Promise<readonly Recognised[]> {
  const [{ probeSource }, { findFeeds, RECOGNISE }] = await Promise.all([
    import('./sources/probe.ts'),
    import('./recognise.ts'),
  ]);
  const probe = await probeSource(path);
  const found: Recognised[] = [];
  for (const format of FORMAT_NAMES) {
    const what = await RECOGNISE[format](probe);
    if (what !== null) found.push({ format, what });
  }
  const feeds = found.length === 0 && probe.kind === 'address' ? findFeeds(probe, path) : [];
  // It is neither a feed nor a blog.
  if (feeds.length > 0)
    throw new ImportError(
      `${shownAddress(path)} is a web page. Its feed is ${feeds.map(shownAddress).join(' or ')}: import that instead.`,
    );
  return found;
}

/** All items, if the files did not change while they were read. */
async function* checkUnchanged(
  paths: readonly string[],
  fingerprint: string | undefined,
  items: AsyncIterable<ImportedItem>,
): AsyncGenerator<ImportedItem> {
  const before = fingerprint ?? (await computeFingerprint(paths));
  yield* items;
  // What was read may never have existed together.
  if ((await computeFingerprint(paths)) !== before)
    throw new ImportError(
      `${paths.join(', ')} changed while being read, so nothing was written. Import it again when it no longer changes.`,
    );
}

export function takesOption(name: FormatName, option: keyof FormatOptions): boolean {
  const { options = [] }: Format = FORMATS[name];
  return options.includes(option);
}

/** An option without an effect is a mistake. A key may stand in the environment for another import. */
function refuseOthers(name: FormatName, { options: taken = [] }: Format, options: FormatOptions): void {
  for (const { options: known = [] } of Object.values<Format>(FORMATS))
    for (const option of known)
      if (options[option] !== undefined && !taken.includes(option) && option !== 'key')
        throw new ImportError(
          `"import ${name}" has no option --${option}. Omit it; "import --help" lists the options of all formats.`,
        );
}
