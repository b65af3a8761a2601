import { join } from 'node:path';
import { ExplainedError } from '../common/errors.ts';
import { PostUnreadable } from '../common/content/errors.ts';
import { shellQuoted } from '../common/shell.ts';
import { shownAddress } from '../common/shown-address.ts';

/**
 * An error that stops the reading of a blog. An error in one post does not: that post is skipped and reported. Each
 * message says what failed, on which thing, and what to do; the command line prints it unchanged.
 */
abstract class ImportError extends ExplainedError {}

export class FolderMissing extends ImportError {
  constructor(path: string) {
    super(`There is no folder at ${path}. Give the folder that holds the blog's posts.`);
  }
}

export class FolderIsFile extends ImportError {
  constructor(path: string) {
    const format = /\.(?:xml|wxr)$/i.test(path) ? 'wordpress' : /\.json$/i.test(path) ? 'ghost' : null;
    super(
      `${path} is a file, not a folder. Give the folder that holds the blog's posts` +
        (format === null ? '.' : `; an export is read by "import ${format}".`),
    );
  }
}

export class PathUnreadable extends ImportError {
  constructor(path: string, code: string) {
    super(`${path} cannot be read (${code}).`);
  }
}

export class FileIsFolder extends ImportError {
  constructor(path: string) {
    super(`${path} is a folder, not a file. Give a file in it, or several.`);
  }
}

export class ExportMissing extends ImportError {
  constructor(path: string) {
    super(`There is no export at ${path}. Give its file, or the folder that holds its files.`);
  }
}

export class ItemsNameless extends ImportError {
  constructor(path: string) {
    super(
      `${path} does not say which blog its items are of. Begin it with a line of that kind: ` +
        '{"kind":"blog","name":"My blog","url":"https://blog.example"}',
    );
  }
}

export class ExportFolderEmpty extends ImportError {
  constructor(path: string) {
    super(
      `${path} is a folder without an XML file, so it holds no export of WordPress. ` +
        'Give the XML file; a folder of Markdown is read by "import markdown".',
    );
  }
}

export class OnePathOnly extends ImportError {
  constructor(format: string) {
    super(`"import ${format}" takes one path at a time. Import the others after it.`);
  }
}

export class OptionOfOtherFormat extends ImportError {
  constructor(format: string, option: string) {
    super(
      `"import ${format}" has no option --${option}. Leave it out: "import --help" lists those of all formats.`,
    );
  }
}

/** What to do about failures of engines, by what they print. */
const ENGINE_HINTS: readonly (readonly [printed: RegExp, hint: string])[] = [
  [
    /module "[^"]+" not found|failed to download modules|unable to find theme/i,
    'Fetch the theme that it misses ("git submodule update --init"), or make an empty folder of that name, themes/NAME: ' +
      "that is enough for the import, unless posts use the theme's shortcodes.",
  ],
  [
    /theme could not be found|MissingDependencyException|Could not find gem|Bundler::GemNotFound/,
    'Install the gems that it misses ("bundle install"), or import a copy of the site without them in its Gemfile and ' +
      '_config.yml: the import needs no theme.',
  ],
  [
    /REF_NOT_FOUND|Could not find post/i,
    'A link to a page that is not public yet fails here even where the site itself shows such pages.',
  ],
];

/** The site's own engine failed. */
export class EngineFailed extends ImportError {
  override readonly output: string;
  constructor(engine: string, code: number | null, output: string) {
    const [, hint = "Run it in the site's folder until it succeeds, then import again."] =
      ENGINE_HINTS.find(([printed]) => printed.test(output)) ?? [];
    super(
      `${engine} could not render the site${code === null ? '' : ` (exit code ${code})`}, so nothing was written. ` +
        `${hint} It said:`,
    );
    this.output = output;
  }
}

/** The site's own engine did not end in time. */
export class EngineTooSlow extends ImportError {
  override readonly output: string;
  constructor(engine: string, limitMs: number, output: string) {
    const minutes = Math.ceil(limitMs / 60_000);
    super(
      `${engine} was stopped after ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}, so nothing was written. ` +
        `Run it in the site's folder to see why it takes so long.${output === '' ? '' : ' It said:'}`,
    );
    this.output = output;
  }
}

export class EngineMissing extends ImportError {
  /** @param where the site's name of it, and where it is to be had: `Hugo (https://gohugo.io/installation/)` */
  constructor(program: string, where: string) {
    super(
      `There is no program ${program}, so the site cannot be rendered. Install ${where}, name its program with ` +
        '--engine PATH, or let the CI job that builds the site run the import.',
    );
  }
}

/** A site that its own engine renders. */
export class SiteHasEngine extends ImportError {
  /** The message for an entry of "import" in `offprint.json`, which has no options. */
  readonly inEntry: string;
  /** @param site the folder of the site */
  constructor(folder: string, engine: 'Hugo' | 'Jekyll', site: string) {
    const what = `${folder} ${folder === site ? 'is' : 'is in'} a site of ${engine}, which renders its posts itself.`;
    const format = engine.toLowerCase();
    super(
      `${what} Run "import ${format} ${shellQuoted(site)}", or add --plain to read its files as plain Markdown.`,
    );
    this.inEntry =
      `${what} In offprint.json, give it an entry with "format": "${format}" and "path": ${JSON.stringify(site)}, ` +
      'or with "plain": true to read its files as plain Markdown.';
  }
}

/** The files that were read may never have existed together. */
export class FilesChanged extends ImportError {
  constructor(path: string) {
    super(
      `${path} changed while it was read, so nothing was written. Import it again when it stays as it is.`,
    );
  }
}

export class NoSiteOfEngine extends ImportError {
  constructor(folder: string, engine: string, config: string) {
    super(
      `${folder} is not the folder of a site of ${engine}: it has no ${config}. Give the folder of the whole site.`,
    );
  }
}

/** Its answers match no known version. */
export class EngineUnknown extends ImportError {
  constructor(engine: string, what: string) {
    super(`${engine} ${what}. Try another version of it with --engine PATH.`);
  }
}

export class NotGhostExport extends ImportError {
  /** @param what what it is instead, and what to do */
  constructor(path: string, what: string) {
    super(`${path} ${what}`);
  }
}

export class ExportTooLarge extends ImportError {
  constructor(path: string, limit: number) {
    super(
      `${shownAddress(path)} is larger than the ${Math.floor(limit / 1_000_000)} MB that can be read as one JSON document. ` +
        `Remove the fields mobiledoc, lexical and plaintext from its posts, for example with jq: html is enough.`,
    );
  }
}

/** Readable, but not a post. A post that was imported from it is gone. Not for the command line either. */
export class NotAPost extends PostUnreadable {}

/** All Markdown of a folder is in sites of Hugo or Jekyll below it. */
export class SiteBelow extends ImportError {
  constructor(folder: string, sites: readonly string[]) {
    const found = sites.map((site) => join(folder, site));
    super(`${folder} has ${found.length === 1 ? 'a site' : 'sites'} in it. Import ${found.join(' or ')}.`);
  }
}

/** An address is neither a feed nor a blog, but names its feeds. */
export class WebPage extends ImportError {
  constructor(address: string, feeds: readonly string[]) {
    const found = feeds.map((feed) => shownAddress(feed)).join(' or ');
    super(`${shownAddress(address)} is a web page. It names ${found} as its feed: import that.`);
  }
}

export class FeedInvalid extends ImportError {
  readonly why: string;
  constructor(place: string, why: string) {
    super(
      `${shownAddress(place)} is not a feed: ${why}. Give the file or the address of a JSON Feed, an Atom feed or an RSS feed.`,
    );
    this.why = why;
  }
}

/** The address of a blog cannot be read. */
export class AddressRefused extends ImportError {
  readonly why: string;
  constructor(url: string, why: string) {
    super(
      `${shownAddress(url)} cannot be read: ${why}. See that the address is right and that the site is up.`,
    );
    this.why = why;
  }
}

/** The file is no export of WordPress. */
export class NotAnExport extends ImportError {
  readonly why: string;
  constructor(path: string, why: string) {
    super(
      `${path} is not an export of WordPress: ${why}. ` +
        'In WordPress, choose Tools, Export, All content, and give the XML file that it saves.',
    );
    this.why = why;
  }
}

const VIEWS_PAGE = 'docs/owners/import-sql.md explains how to write them.';

/** Another program's database cannot be read, at least not now. */
export class DatabaseUnreadable extends ImportError {
  constructor(path: string, why: string) {
    super(`${path} cannot be read: ${why}.`);
  }
}

export class ViewsUnnamed extends ImportError {
  constructor(path: string) {
    super(
      `${path} is read through a file of SQL views, and none is named. Add --views FILE, or "views" to its entry in ` +
        `offprint.json; ${VIEWS_PAGE}`,
    );
  }
}

/** A file of views that cannot be used, or not with this database. */
export class ViewsUnusable extends ImportError {
  constructor(file: string, why: string) {
    super(`${file}: ${why}. Correct the views; ${VIEWS_PAGE}`);
  }
}
