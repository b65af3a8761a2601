import { ExplainedError } from '../common/errors.ts';
import { PostUnreadable } from '../common/content/errors.ts';
import { shellQuoted } from '../common/shell.ts';
import { shownAddress } from '../common/shown-address.ts';

/**
 * An error that stops the reading of a blog. An error in one post does not: that post is skipped and reported. Each
 * message says what failed, on which thing, and what to do; the command line prints it unchanged. Those that several
 * places throw, or that anyone tells apart, have a class.
 */
export class ImportError extends ExplainedError {}

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
    super(`There is no export at ${path}. Give its file, or the folder that contains its files.`);
  }
}

/** What to do about failures of engines, by what they print. */
const ENGINE_HINTS: readonly (readonly [printed: RegExp, hint: string])[] = [
  [
    /module "[^"]+" not found|failed to download modules|unable to find theme/i,
    'Fetch the missing theme ("git submodule update --init"), or create an empty folder themes/NAME: ' +
      "that is enough for the import, unless posts use the theme's shortcodes.",
  ],
  [
    /theme could not be found|MissingDependencyException|Could not find gem|Bundler::GemNotFound/,
    'Install the missing gems ("bundle install"), or import a copy of the site without them in its Gemfile and ' +
      '_config.yml: the import needs no theme.',
  ],
  [
    /REF_NOT_FOUND|Could not find post/i,
    'Links to pages that are not public yet fail here, even if the site itself shows such pages.',
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
        `${hint} Its output:`,
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
        `Run it in the site's folder to see why it takes so long.${output === '' ? '' : ' Its output:'}`,
    );
    this.output = output;
  }
}

/** What to do about it is an option on the command line, and a setting in `offprint.json`. */
export class OptionNeeded extends ImportError {
  /** The message for an entry of "import" in `offprint.json`, which has no options. */
  readonly inEntry: string;
  constructor(message: string, inEntry: string) {
    super(message);
    this.inEntry = inEntry;
  }
}

/** There is no engine for a site. @param where the engine's name, and where to get it */
export function engineMissing(program: string, where: string, folder: string): OptionNeeded {
  const format = where.replace(/ .*$/, '').toLowerCase();
  const what = `The program ${program} was not found, so the site cannot be rendered. Install ${where},`;
  const entry = `{ "format": "${format}", "path": ${JSON.stringify(folder)}, "plain": true }`;
  return new OptionNeeded(
    `${what} specify the program with --engine PATH, run the import in the CI job that builds the site, or read the site's files as ` +
      `plain Markdown, without shortcodes: "import ${format} ${shellQuoted(folder)} --plain".`,
    `${what} or read the site's files as plain Markdown, without shortcodes. Set its entry in "import" of offprint.json to ${entry}. ` +
      'To specify the program, replace "plain" with "engine": "PATH".',
  );
}

/** A site that its own engine renders. */
export class SiteHasEngine extends OptionNeeded {
  /** @param site the folder of the site */
  constructor(folder: string, engine: 'Hugo' | 'Jekyll', site: string) {
    const what = `${folder} ${folder === site ? 'is' : 'is in'} a ${engine} site, whose posts ${engine} must render.`;
    const format = engine.toLowerCase();
    super(
      `${what} Run "import ${format} ${shellQuoted(site)}", or add --plain to read its files as plain Markdown.`,
      `${what} In offprint.json, give it an entry with "format": "${format}" and "path": ${JSON.stringify(site)}, ` +
        'or with "plain": true to read its files as plain Markdown.',
    );
  }
}

/** Its answers match no known version. */
export class EngineUnknown extends ImportError {
  constructor(engine: string, what: string) {
    super(`${engine} ${what}. Try another version with --engine PATH.`);
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

/** Readable, but not a post: one that was imported from it earlier is archived. */
export class NotAPost extends PostUnreadable {}

export class FeedInvalid extends ImportError {
  readonly why: string;
  constructor(place: string, why: string) {
    super(`${shownAddress(place)} is not a feed: ${why}. Give the file or URL of a JSON, Atom or RSS feed.`);
    this.why = why;
  }
}

/** The address of a blog cannot be read. */
export class AddressRefused extends ImportError {
  readonly why: string;
  constructor(url: string, why: string) {
    super(`${shownAddress(url)} cannot be read: ${why}. Check the URL, and that the site is up.`);
    this.why = why;
  }
}

/** The file is not a WordPress export. */
export class NotAnExport extends ImportError {
  readonly why: string;
  constructor(path: string, why: string) {
    super(
      `${path} is not a WordPress export: ${why}. ` +
        'In WordPress, choose Tools, Export, All content, and give the XML file that you download.',
    );
    this.why = why;
  }
}

export const VIEWS_PAGE = 'docs/owners/import-sql.md explains how to write them.';

/** Another program's database cannot be read, at least not now. */
export class SourceUnreadable extends ImportError {
  constructor(path: string, why: string) {
    super(`${path} cannot be read: ${why}.`);
  }
}

/** A file of views that cannot be used, or not with this database. */
export class ViewsUnusable extends ImportError {
  constructor(file: string, why: string) {
    super(`${file}: ${why}. Correct the views; ${VIEWS_PAGE}`);
  }
}

/** The answer of a running blog is not from its system. The query is not shown: it may contain a key. */
export class BlogAnswerInvalid extends ImportError {
  constructor(url: URL, why: string) {
    super(`The answer of ${formatHome(url)} cannot be used: ${why}. Nothing was written.`);
  }
}

export class ApiMissing extends ImportError {
  constructor(address: URL, system: string, hint: string) {
    super(`No ${system} API was found at ${formatHome(address)}. ${hint}`);
  }
}

/** An address without its query and the slash at its end. */
export function formatHome({ href }: URL): string {
  return shownAddress(href).replace(/\/+$/, '');
}
