import { posix } from 'node:path';
import { slug } from 'github-slugger';
import { htmlToText } from '../../common/content/html-text.ts';
import { decodePercent } from '../../common/content/slug.ts';
import { escapeHtml } from '../../common/content/text.ts';
import type { ReportLoss } from '../article/outcome.ts';
import { TextSearch } from '../article/text-search.ts';
import { spanFinder } from './code.ts';
import { type FrontMatter, type FrontValue, isList, isTable } from '../front-matter/front-matter.ts';
import { type Finder, type FoundLoss, withoutFound } from './losses.ts';
import { NOTE, type Vaults } from '../sources/vaults.ts';

/** A note, and the posts around it. */
export interface Note {
  /** Relative to the imported folder, with `/`. */
  readonly path: string;
  readonly vaults: Vaults;
  /** The address of the post in a file; null if there is none that is public. */
  readonly addressAt: (path: string) => string | null;
}

/**
 * A note of Obsidian as Markdown: hidden comments are removed; links, pictures, callouts and highlights become what they
 * mean, or a loss. Code stays as it is.
 */
export function withoutObsidian(text: string, note: Note, reportLoss: ReportLoss): string {
  const replaced = (part: string, finders: readonly Finder[]): string =>
    withoutFound(part, true, finders, /[`<[=^!]|(?<=\n)/g, reportLoss);
  const inline = (part: string): string => replaced(part, inlineFinders(part));
  const inlineFinders = (part: string): Finder[] => [
    wikiLinks(part, note),
    highlights(part, inline),
    pictureSizes(part),
    blockIds(part),
  ];
  const shown = withoutComments(text, reportLoss);
  return replaced(shown, [callouts(shown, inline), ...inlineFinders(shown)]);
}

/**
 * A note's front matter as it is meant: without `%%…%%`, wiki links as their text, and the name of a picture as its address. A
 * comment without an end is text here: `100%% sure`.
 */
export function noteFields(frontMatter: FrontMatter, note: Pick<Note, 'path' | 'vaults'>): FrontMatter {
  const shown = (value: FrontValue): FrontValue => {
    if (isList(value)) return value.map(shown);
    if (isTable(value)) return noteFields(value, note);
    if (typeof value !== 'string') return value;
    const text = value
      .replace(/%%[^]*?%%/g, '')
      .replace(WIKI_LINKS, (written, bang, name: string, place = '', label = '') =>
        /^\s/.test(name) ? written : String((bang === '' && label) || name + place).trim(),
      );
    return (PICTURE.test(text) ? fileLinked(text.trim(), note) : null) ?? text;
  };
  const entries = Object.entries(frontMatter).map(([key, value]) => {
    const written = /^tags?$/i.test(key) ? withoutHashes(value) : value;
    return [key, shown(written)] as const;
  });
  return { __proto__: null, ...Object.fromEntries(entries) };
}

/** A tag may be written as in the text: `#tag`. */
function withoutHashes(value: FrontValue): FrontValue {
  if (isList(value)) return value.map(withoutHashes);
  return typeof value === 'string' ? value.replace(/(?<=^|[\s,])#(?=[^\s,#])/g, '') : value;
}

/** What only Obsidian would hide or render, in a page's HTML. */
const SHOWN = /%%[^]*?%%|!?\[\[(?!\s)[^[\]\n]{1,1000}\]\]/y;

/**
 * Reports what Obsidian would hide or render in a page that is in no vault, as when Git ignores `.obsidian`. It stays as
 * it is, since other Markdown means something else by `%%`.
 *
 * @param source the page's Markdown, which may say that brackets are only text: `\[[x]]`
 */
export function reportShown(html: string, source: string, reportLoss: ReportLoss): void {
  if (!/%%|\[\[/.test(html)) return;
  const escaped = new Set([...source.matchAll(/\\\[\\?\[([^\]\\\n]{1,1000})/g)].map(([, name]) => name));
  const search = new TextSearch(html);
  const tag: Finder = (at) =>
    html[at] === '<' ? { end: (search.indexOf('>', at) ?? at) + 1, what: null } : null;
  const shown: Finder = (at) => {
    SHOWN.lastIndex = at;
    const [written] = SHOWN.exec(html) ?? [];
    if (written === undefined) return null;
    const text = htmlToText(written);
    const end = at + written.length;
    if (escaped.has(text.replace(/^!?\[\[|\]\]$/g, ''))) return { end, what: null, shown: written };
    const what = written.startsWith('%')
      ? 'Obsidian comment shown, because there is no .obsidian'
      : 'wiki link';
    return { end, what, detail: text.slice(0, 100) };
  };
  withoutFound(html, false, [tag, shown], /[<%[!]/g, reportLoss);
}

/** The line that opens a block of code, a comment, or a code span. */
const CODE_OR_COMMENT =
  /(?<=^|\n)[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(?:(`{3,})[^`\n]*|(~{3,})[^\n]*)(?=\n|$)|%%|`/g;

/**
 * Removes `%%…%%`, before Markdown is parsed, since a comment may hide half a block of code. One without an end hides the
 * rest of the note. In doubt it is a comment: a block of code without an end shows none.
 */
function withoutComments(text: string, reportLoss: ReportLoss): string {
  const spanEnd = spanFinder(text);
  const fenceEnd = fenceFinder(text);
  const marks = new RegExp(CODE_OR_COMMENT);
  let out = '';
  let shownFrom = 0;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    const { 0: written, 1: ticks, 2: tildes, index } = mark;
    const end = index + written.length;
    const fence = ticks ?? tildes;
    if (fence !== undefined) marks.lastIndex = fenceEnd(fence, end) ?? end;
    else if (written === '`') marks.lastIndex = spanEnd(index) ?? end;
    else {
      const close = text.indexOf('%%', end);
      if (close === -1) reportLoss('comment without an end');
      out += text.slice(shownFrom, index);
      shownFrom = marks.lastIndex = close === -1 ? text.length : close + 2;
    }
  }
  return out + text.slice(shownFrom);
}

/** Returns the end of a block of code, from its opening fence and the position after it; null: it has no closing one. */
function fenceFinder(text: string): (fence: string, from: number) => number | null {
  const search = new TextSearch(text);
  const closings = new Map<string, RegExp>();
  return (fence, from) => {
    const closing = closings.get(fence) ?? new RegExp(`\\n[ \\t>]*${fence}${fence[0]}*[ \\t]*(?=\\n|$)`, 'g');
    closings.set(fence, closing);
    const found = search.match(closing, from);
    return found === null ? null : found.index + found[0].length;
  };
}

/** `> [!tip]- Title` */
const CALLOUT = /((?:[ \t]*>)+)[ \t]*\[!([\w-]{1,50})(?:\|[^\]\n]{0,100})?\][+-]?[ \t]*([^\n]*)/y;

/** A callout is a quote with its title in bold. */
function callouts(text: string, inline: (text: string) => string): Finder {
  return (at) => {
    if (at > 0 && text[at - 1] !== '\n') return null;
    CALLOUT.lastIndex = at;
    const [line, quote = '', kind = '', title = ''] = CALLOUT.exec(text) ?? [];
    if (line === undefined) return null;
    const name = kind.charAt(0).toUpperCase() + kind.slice(1).toLowerCase();
    const shown = `${quote} <strong>${inline(title.trim()) || name}</strong>\n${quote}`;
    return { end: at + line.length, what: null, shown };
  };
}

/** `[[Note#Heading|text]]`, `![[rose.png|A rose|300]]`; in a table with `\|`. */
const WIKI_LINK = /(!?)\[\[([^[\]|#\n]{0,500})(#[^[\]|\n]{1,500})?(?:\|([^[\]\n]{0,500}))?\]\]/y;
const WIKI_LINKS = new RegExp(WIKI_LINK, 'g');
const PICTURE = /\.(?:avif|bmp|gif|jpe?g|png|svg|webp)$/i;

function wikiLinks(text: string, { path, vaults, addressAt }: Note): Finder {
  return (at) => {
    if (text[at - 1] === '\\') return null;
    WIKI_LINK.lastIndex = at;
    const [written, bang, target = '', place = '', label = ''] = WIKI_LINK.exec(text) ?? [];
    const [name, places] = [target, place].map(trimmed);
    if (written === undefined || name === undefined || places === undefined || name + places === '')
      return null;
    const file = name === '' ? path : vaults.fileNamed(name, path);
    const found = { end: at + written.length, detail: written };
    if (bang === '') return { ...found, ...linkTo(file, name, places, label.trim()) };
    if (!PICTURE.test(name))
      return {
        ...found,
        what:
          (file === null && posix.extname(name) === '') || NOTE.test(file ?? name)
            ? 'embedded note'
            : 'embedded file',
      };
    if (file === null) return { ...found, what: 'missing picture' };
    return { ...found, what: null, shown: renderPicture(file, label.trim()) };
  };

  function linkTo(
    file: string | null,
    name: string,
    places: string,
    label: string,
  ): Pick<FoundLoss, 'what' | 'shown'> {
    const place = places.split('#').at(-1)?.trim() ?? '';
    const heading = place.startsWith('^') ? '' : place;
    const shown = label || literal([name, heading].filter(Boolean).join(' > '));
    const isNote = file !== null && NOTE.test(file);
    const address = name === '' ? '' : file === null ? null : isNote ? addressAt(file) : toPath(file);
    if (address === null) return { what: 'link to a note that is not a post', shown };
    const href = address + (heading === '' ? '' : `#${slug(heading)}`);
    return { what: null, shown: `<a href="${escapeHtml(href)}">${shown}</a>` };
  }
}

/** Without spaces, and the back-slash of `\|`. */
function trimmed(part: string): string {
  return part.replace(/\\$/, '').trim();
}

/** The label is its text, its size, or both. */
function renderPicture(file: string, label: string): string {
  const text = label.replace(/(?:^|\\?\|)[ \t]*\d+(?:x\d+)?$/, '').trim();
  return `![${literal(text || posix.basename(file, posix.extname(file)))}](<${toPath(file)}>)`;
}

/** Of a file that is no note: its path from the root, as on a site of the vault's files. */
function toPath(file: string): string {
  return `/${file.split('/').map(encodeURIComponent).join('/')}`;
}

/** The address of the file or the post that a link in Markdown names, or the name of a picture; null: neither is there. */
export function fileLinked(
  link: string,
  { path, vaults, addressAt = () => null }: Pick<Note, 'path' | 'vaults'> & Partial<Note>,
): string | null {
  const [, name, rest = ''] = /^(?![a-z][a-z\d+.-]*:|[/#?])([^#?]+)([#?].*)?$/is.exec(link) ?? [];
  const file = name === undefined ? null : vaults.fileNamed(decodePercent(name), path);
  if (file === null) return null;
  const address = NOTE.test(file) ? addressAt(file) : toPath(file);
  return address === null ? null : address + rest;
}

/** The same text in Markdown. */
function literal(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, '\\$&');
}

/** With whole code spans in it. */
const HIGHLIGHT = /==(?![=\s])((?:[^=`\n]|`[^`\n]*`|=(?!=))*)(?<!\s)==(?!=)/y;

function highlights(text: string, inline: (text: string) => string): Finder {
  return (at) => {
    if (text[at - 1] === '=' || text[at - 1] === '\\') return null;
    HIGHLIGHT.lastIndex = at;
    const [written, inside = ''] = HIGHLIGHT.exec(text) ?? [];
    if (written === undefined) return null;
    return { end: at + written.length, what: null, shown: `<mark>${inline(inside)}</mark>` };
  };
}

/** `![A rose|300](rose.png)`, `![300x200](rose.png)` */
const SIZED = /!\[(?:([^[\]|\n]{0,500})\|)?\d{1,5}(?:x\d{1,5})?\](?=\()/y;

function pictureSizes(text: string): Finder {
  return (at) => {
    SIZED.lastIndex = at;
    const [written, label = ''] = SIZED.exec(text) ?? [];
    if (written === undefined || text[at - 1] === '\\') return null;
    return { end: at + written.length, what: null, shown: `![${label.replace(/\\$/, '')}]` };
  };
}

/** `^id` at the end of a line, for links to it. */
const BLOCK_ID = /(?<=\s|^)\^[\w-]{1,100}[ \t]*(?=\n|$)/y;

function blockIds(text: string): Finder {
  return (at) => {
    BLOCK_ID.lastIndex = at;
    const [written] = BLOCK_ID.exec(text) ?? [];
    return written === undefined ? null : { end: at + written.length, what: 'block id', detail: written };
  };
}
