/** Recognises the format of a blog, if none is given. */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { shellQuoted } from '../common/shell.ts';
import { shownAddress } from '../common/shown-address.ts';
import { ExportMissing } from '../import/errors.ts';
import { FORMAT_NAMES, type FormatName, isFormatName } from '../import/format-names.ts';
import { recogniseBlog, type Recognised } from '../import/formats.ts';
import { absoluteSource } from '../import/sources/fingerprint.ts';
import { commandLine } from './command-line.ts';
import { WrongUsage } from './failure.ts';
import { addImport, type AddedImport, DEFAULT_CONFIG, readConfig } from './settings.ts';

/** A source cannot be recognised. */
export class SourceUnclear extends WrongUsage {
  override readonly output: string;
  /** The message for an entry of `offprint.json`. */
  readonly inEntry: string;
  constructor(message: string, inEntry: string = message, output = '') {
    super(message);
    this.inEntry = inEntry;
    this.output = output;
  }
}

/** The source could be read in several formats. */
function severalFormats(
  path: string,
  found: readonly Recognised[],
  repeat: (format: FormatName) => string,
): SourceUnclear {
  const what = `${shownAddress(path)} is ${found.map((one) => one.what).join(' and ')}.`;
  const formats = found.map(({ format }) => `"format": "${format}"`).join(' or ');
  return new SourceUnclear(
    `${what} Choose how to read it:`,
    `${what} In offprint.json, add ${formats} to its entry.`,
    found.map(({ format }) => `  ${repeat(format)}`).join('\n'),
  );
}

function noFormat(path: string): SourceUnclear {
  return new SourceUnclear(
    `${shownAddress(path)} is not recognised as a Hugo or Jekyll site, a folder of Markdown, an export of WordPress (XML), ` +
      'Ghost (JSON) or Blogger (feed.atom), a feed, a file of items (posts.ndjson), or the URL of a feed or of a running ' +
      'WordPress or Ghost. Unzip archives first. If it is one of these, specify its format ("import --help").',
  );
}

function noSource(path: string): SourceUnclear {
  const isHost = /^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}(?:[:/]|$)/i.test(path);
  const address = `If it is a URL, write https://${path}.`;
  const formats = `Formats are ${FORMAT_NAMES.join(', ')}.`;
  const correction = 'Correct its entry in "import" of offprint.json.';
  return new SourceUnclear(
    `There is no file or folder at ${path}, and no format with this name. ${isHost ? address : formats}`,
    `There is no such file or folder. ${isHost ? address : correction}`,
  );
}

/** @throws WrongUsage */
export function refuseStandardInput(path: string): void {
  if (path === '-') throw new WrongUsage('Standard input is read only as items: "import items -".');
}

/**
 * The format of a source, by a look at it.
 *
 * @param repeat the commands to choose from if there are several; none for an entry of `offprint.json`
 * @throws SourceUnclear, and errors of `recogniseBlog`
 */
export async function recognise(
  path: string,
  repeat: (format: FormatName) => string = () => '',
): Promise<Recognised> {
  refuseStandardInput(path);
  const found = await recogniseBlog(path).catch((error: unknown) => {
    throw error instanceof ExportMissing ? noSource(path) : error;
  });
  const [first, ...others] = found;
  if (first === undefined) throw noFormat(path);
  if (others.length > 0) throw severalFormats(path, found, repeat);
  return first;
}

/** What a source was recognised as, in one line. */
export function describeRecognised(path: string, { format, what }: Recognised): string {
  return `recognised ${shownAddress(path)}: ${what} (format ${format})`;
}

/** The command that was typed, with a format after one of its words. */
export function withFormat(typed: Command, after: string, format: FormatName): string {
  const words = typed.parent?.args ?? [];
  const at = words.indexOf(after) + 1;
  return commandLine([...words.slice(0, at), format, ...words.slice(at)].map(shellQuoted).join(' '));
}

/** The blog of `--import`, and how it was recognised; null: the configuration already has it. */
type NewImport = AddedImport & { readonly recognised?: string };

/**
 * Adds the blog of `start --import` to the configuration; if its format is not given, it is recognised.
 *
 * @param words a path, or a format and a path
 * @throws WrongUsage, and errors of `recognise` and `addImport`
 */
export async function addedImport(
  config: string | undefined,
  words: readonly string[],
  typed: Command,
): Promise<NewImport | null> {
  const [first = '', second, ...more] = words;
  if (more.length === 0 && second !== undefined && isFormatName(first))
    return addImport(config, first, second);
  if (second !== undefined || isFormatName(first))
    throw new WrongUsage(
      `--import takes a path, or a format (${FORMAT_NAMES.join(', ')}) and a path, such as: --import ../blog`,
    );
  const path = absoluteSource(first);
  if (existsSync(config ?? DEFAULT_CONFIG) && readConfig(config).import.some((one) => one.path === path))
    return null;
  const found = await recognise(first, (format) => withFormat(typed, '--import', format));
  const added = addImport(config, found.format, first);
  return added && { ...added, recognised: describeRecognised(first, found) };
}
