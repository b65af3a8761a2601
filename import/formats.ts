import type { Progress } from '../common/progress.ts';
import { FilesChanged, OnePathOnly, OptionOfOtherFormat } from './errors.ts';
import type { FormatName } from './format-names.ts';
import { fingerprintOf, isRemote } from './fingerprint.ts';
import type { ImportedItem } from './post.ts';

/** A format of blogs. To add one: a name in format-names.ts, a folder with a `read`, and a row in `FORMATS`. */
export interface Format {
  /** For the list of formats in the command's help. */
  readonly description: string;
  /** Reads a folder, a file or an address. @throws ImportError if nothing can be read */
  readonly read: (path: string, options: ReadOptions) => AsyncIterable<ImportedItem>;
  /** For a format whose export may consist of several files. */
  readonly readParts?: (paths: readonly string[], options: ReadOptions) => AsyncIterable<ImportedItem>;
  /** The options of FORMAT_OPTIONS that it takes. */
  readonly options?: readonly (keyof FormatOptions)[];
}

/** Options of formats, besides the path. */
export interface FormatOptions {
  /** Jekyll's collections whose documents are posts, besides `posts`. */
  readonly collection?: readonly string[] | undefined;
  /** Hugo's sections whose pages are posts. */
  readonly section?: readonly string[] | undefined;
  /** Only posts of this language, as the site names it; default: all. */
  readonly language?: string | undefined;
  /** The program that renders the site: a path or a name. */
  readonly engine?: string | undefined;
  /** An API key of a running blog. */
  readonly key?: string | undefined;
  /** The user name for a running blog; the password is in the environment. */
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  /** Reads the files of a site of Hugo or Jekyll as plain Markdown. */
  readonly plain?: boolean | undefined;
  /** Reads everything again, ignoring the state of the last import. */
  readonly all?: boolean | undefined;
}

export interface ReadOptions extends FormatOptions {
  /** Tells which posts are scheduled. */
  readonly now: Date;
  /** The public site's address, if known. */
  readonly site?: string | null;
  /** The pattern of posts' paths on it (common/site-paths.ts). */
  readonly postPath?: string | undefined;
  /** The input is the whole blog, even if its format cannot say so. */
  readonly complete?: boolean | undefined;
  /** Receives the progress of long reads. */
  readonly progress?: Progress;
  /** A private folder that keeps posts of a running blog until they are imported; without it, nothing is kept. */
  readonly kept?: string | undefined;
  /** Waits a number of milliseconds before a retry; tests do not wait. */
  readonly wait?: (milliseconds: number) => Promise<unknown>;
  /** The database's state of a blog; null: it was never imported. */
  readonly known?: (format: string, key: string) => KnownBlog | null;
}

/** A blog that was imported before. */
export interface KnownBlog {
  /** The state that its format left at the last import; null: none. */
  readonly state: string | null;
  /** Whether the database has the post with this `source`. */
  readonly has: (source: string) => boolean;
}

type Read<Source> = (source: Source, options: ReadOptions) => AsyncIterable<ImportedItem>;

/** Loads a reader on first use: all of them cost every build a third of a second, and most builds use none. */
function loaded<Source>(load: () => Promise<Read<Source>>): Read<Source> {
  return async function* (source, options) {
    const read = await load();
    yield* read(source, options);
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
    description: 'the folder of a site of Hugo, which renders it',
    read: loaded(async () => (await import('./hugo/read.ts')).readHugoSite),
    options: ['section', 'language', 'engine'],
  },
  jekyll: {
    description: 'the folder of a site of Jekyll, which renders it',
    read: loaded(async () => (await import('./jekyll/read.ts')).readJekyllSite),
    options: ['collection', 'language', 'engine'],
  },
  ghost: {
    description: 'the JSON file of an export of Ghost, or the address of a running Ghost',
    read: (path, options) =>
      isRemote(path) ? readRunningGhost(path, options) : readGhostExport([path], options),
    readParts: readGhostExport,
    options: ['key', 'all'],
  },
  wordpress: {
    description:
      'the XML files of an export of WordPress (Tools, Export), or the address of a running WordPress',
    read: (path, options) =>
      isRemote(path) ? readRunningWordPress(path, options) : readWordPressExport([path], options),
    readParts: readWordPressExport,
    options: ['user', 'password', 'all'],
  },
  feed: {
    description: 'a JSON Feed, an Atom or an RSS feed: its files, or their addresses',
    read: (path, options) => readFeeds([path], options),
    readParts: readFeeds,
  },
  blogger: {
    description:
      'the XML file of Blogger (Settings, Back up content), or its archive or folder of Google Takeout',
    read: loaded(async () => (await import('./blogger/read.ts')).readBloggerExport),
  },
  medium: {
    description: 'the archive that Medium sends (Settings, Download your information), or its folder',
    read: loaded(async () => (await import('./medium/read.ts')).readMediumExport),
  },
  substack: {
    description: 'the archive of an export of Substack (Settings, Import / Export), or its folder',
    read: loaded(async () => (await import('./substack/read.ts')).readSubstackExport),
  },
} as const satisfies Readonly<Record<FormatName, Format>>;

/**
 * @param before the fingerprint of the paths; by default it is taken when reading begins
 * @throws OnePathOnly, OptionOfOtherFormat, and FilesChanged after the last item
 */
export function readBlog(
  name: FormatName,
  paths: readonly [string, ...string[]],
  options: ReadOptions,
  before?: string,
): AsyncIterable<ImportedItem> {
  const [path, ...others] = paths;
  const format: Format = FORMATS[name];
  refuseOthers(name, format, options);
  if (others.length === 0) return checkUnchanged(paths, before, format.read(path, options));
  if (format.readParts === undefined) throw new OnePathOnly(name);
  return checkUnchanged(paths, before, format.readParts(paths, options));
}

/** All items, if the files did not change while they were read. */
async function* checkUnchanged(
  paths: readonly string[],
  fingerprint: string | undefined,
  items: AsyncIterable<ImportedItem>,
): AsyncGenerator<ImportedItem> {
  const before = fingerprint ?? (await fingerprintOf(paths));
  yield* items;
  if ((await fingerprintOf(paths)) !== before) throw new FilesChanged(paths.join(', '));
}

const OPTION_NAMES = [
  'collection',
  'section',
  'language',
  'engine',
  'plain',
  'key',
  'user',
  'password',
  'all',
] as const satisfies readonly (keyof FormatOptions)[];

export function takesOption(name: FormatName, option: keyof FormatOptions): boolean {
  const { options = [] }: Format = FORMATS[name];
  return options.includes(option);
}

/** An option without an effect is a mistake. A password may stand in the environment for another import. */
function refuseOthers(name: FormatName, { options: taken = [] }: Format, options: FormatOptions): void {
  const others = OPTION_NAMES.filter((option) => options[option] !== undefined && !taken.includes(option));
  for (const option of others)
    if (option !== 'password' && option !== 'key') throw new OptionOfOtherFormat(name, option);
}
