import { expansionCounter } from '../../common/content/expansion.ts';
import { htmlToText } from '../../common/content/html-text.ts';
import { escapeHtml, tidyText } from '../../common/content/text.ts';
import { type Attributes, getOverrides, parseAttributes, type PostValue, withBindings } from './bindings.ts';
import { withEmoji } from '../article/emoji.ts';
import type { Files } from './embed.ts';
import { withParagraphs } from './paragraphs.ts';
import { isMemberBlock } from './restrictions.ts';
import { expandShortcodes } from './shortcodes.ts';

/** The data that the text of a post may refer to. */
export interface Surroundings extends Files {
  /** The content of a pattern, by number. */
  readonly pattern: (id: string) => string | null;
  /** What blocks may be bound to. */
  readonly postValue: PostValue;
  /** The custom field `footnotes`: a JSON list. */
  readonly footnotes: string | null;
}

/**
 * A post's body as HTML. The classic editor leaves paragraphs and line breaks to WordPress, which adds them whenever it
 * shows the post; the block editor stores them.
 */
export function renderBody(content: string, surroundings: Surroundings): string {
  const text = withEmoji(tidyText(content)); // Those of another blog's page, pasted into the text.
  if (!hasBlocks(text)) return classicBody(text, surroundings);
  return withoutEmpty(expandShortcodes(expandBlocks(text, surroundings), surroundings));
}

/** Figures and code are complete, so each is replaced temporarily by a rule with a sign that no text has. */
function classicBody(text: string, surroundings: Surroundings): string {
  const kept: string[] = [];
  const counted = expansionCounter();
  const keep = (html: string): string => `\n\n<hr data-kept="\u0002${kept.push(counted(html)) - 1}">\n\n`;
  return withoutEmpty(withParagraphs(expandShortcodes(text, surroundings, keep))).replace(
    /<hr data-kept="\u0002(\d+)">/g,
    (_, place: string) => kept[Number(place)] ?? '',
  );
}

/** Removes paragraphs that only add space. */
export function withoutEmpty(html: string): string {
  return html.replace(/<p(?: class="[^"]*")?>(?:\s|&nbsp;)*<\/p>\n*/g, '').trim();
}

/** The visible text of an excerpt, on one line; null if empty. Losses in it are not reported. */
export function excerptText(html: string, surroundings: Surroundings): string | null {
  const silent: Surroundings = { ...surroundings, reportLoss: () => undefined };
  return htmlToText(expandShortcodes(expandBlocks(tidyText(html), silent), silent)) || null;
}

/** Blocks without text of their own that show nothing, or nothing about the post. */
const SHOWS_NOTHING = /^(?:more|nextpage|spacer|separator|null|core-embed\/.*|embed)$/;

/** Whether the block editor wrote the body, so that its HTML is complete. */
function hasBlocks(body: string): boolean {
  return /<!--\s+wp:/.test(body);
}

/** Patterns may contain patterns, even themselves. */
const MAX_DEPTH = 3;

/** One comment of the block editor: `<!-- wp:embed {"url":"…"} /-->`. */
interface BlockMark {
  readonly name: string;
  readonly closes: boolean;
  readonly closesItself: boolean;
  /** The text after the name. */
  readonly rest: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Inserts what blocks refer to: patterns, footnotes, addresses of embeds. Parts for members are removed. The comments
 * of blocks are removed later, with all others.
 *
 * @throws PostUnreadable if the result is larger than any text
 */
function expandBlocks(body: string, sources: Surroundings): string {
  const counted = expansionCounter();
  return expanded(body, {}, 0);

  /** @param overrides of the pattern that the text is */
  function expanded(text: string, overrides: Attributes, depth: number): string {
    const marks = blockMarks(text);
    let out = '';
    let at = 0;
    let index = 0;
    for (let mark = marks[index]; mark !== undefined; mark = marks[++index]) {
      out += text.slice(at, mark.start);
      at = mark.end;
      if (mark.closes) out += text.slice(mark.start, at);
      else if (mark.name === 'block' && mark.closesItself) out += expandPattern(mark, depth);
      else if (mark.name === 'footnotes') out += counted(renderFootnotes(sources.footnotes));
      else if (isMemberBlock(mark.name, mark.rest) && !mark.closesItself) {
        sources.reportLoss('part for members');
        index = closingMark(marks, index);
        at = marks[index]?.end ?? text.length;
      } else if (mark.name === 'shortcode') {
        const next = marks[index + 1];
        const end = next?.closes && next.name === 'shortcode' ? next.start : at;
        out += text.slice(mark.start, mark.end) + shortcodesOnly(text.slice(at, end));
        at = end;
      } else if (mark.rest.includes('"bindings"') && !mark.closesItself) {
        const end = marks[index + 1]?.start ?? text.length;
        const block = { name: mark.name, attributes: parseAttributes(mark.rest) };
        const { postValue, reportLoss } = sources;
        out += counted(withBindings(text.slice(at, end), block, overrides, postValue, reportLoss));
        at = end;
      } else {
        const html = embedded(mark);
        if (html === null && mark.closesItself && !SHOWS_NOTHING.test(mark.name))
          sources.reportLoss(`block ${mark.name.slice(0, 100)}`);
        out += html ?? text.slice(mark.start, at);
      }
    }
    return out + text.slice(at);
  }

  function expandPattern({ rest }: BlockMark, depth: number): string {
    const attributes = parseAttributes(rest);
    const content = depth === MAX_DEPTH ? null : sources.pattern(String(attributes['ref']));
    if (content === null) {
      sources.reportLoss('pattern');
      return '';
    }
    return expanded(counted(content), getOverrides(attributes), depth + 1);
  }
}

function embedded({ name, rest, closesItself }: BlockMark): string | null {
  if (!closesItself || !/^(?:core-)?embed\b/.test(name)) return null;
  const { url } = parseAttributes(rest);
  return typeof url === 'string' ? `\n${url}\n` : null;
}

function blockMarks(text: string): BlockMark[] {
  const marks: BlockMark[] = [];
  const begin = /<!--\s+(\/)?wp:([\w/-]+)/g;
  for (let match = begin.exec(text); match !== null; match = begin.exec(text)) {
    const close = text.indexOf('-->', begin.lastIndex);
    if (close === -1) break;
    const rest = text.slice(begin.lastIndex, close);
    const [, slash, written = ''] = match;
    marks.push({
      name: written.replace(/^core\/|\/$/g, ''),
      closes: slash !== undefined,
      closesItself: rest.endsWith('/') || (rest === '' && written.endsWith('/')),
      rest,
      start: match.index,
      end: close + 3,
    });
    begin.lastIndex = close + 3;
  }
  return marks;
}

/** The end of the block that begins at this mark: after the last mark if it is not closed. */
function closingMark(marks: readonly BlockMark[], from: number): number {
  let depth = 0;
  for (let index = from; index < marks.length; index++) {
    const mark = marks[index];
    if (mark?.name !== marks[from]?.name || mark?.closesItself) continue;
    depth += mark?.closes ? -1 : 1;
    if (depth === 0) return index;
  }
  return marks.length;
}

/** In a shortcode block, even `[name]` alone is a shortcode. */
function shortcodesOnly(text: string): string {
  const ends = new Map<string, number>();
  for (const { 1: name = '', index } of text.matchAll(/\[\/([A-Za-z][\w-]*)\]/g)) ends.set(name, index);
  return text.replace(/\[([A-Za-z][\w-]*)\]/g, (whole, name: string, at: number) =>
    (ends.get(name) ?? -1) > at ? whole : `[${name} /]`,
  );
}

function renderFootnotes(json: string | null): string {
  let notes: unknown;
  try {
    notes = JSON.parse(json ?? '');
  } catch {
    return '';
  }
  const items = (Array.isArray(notes) ? notes : []).map(footnoteFrom);
  return items.length === 0 ? '' : `<ol class="wp-block-footnotes">${items.join('')}</ol>`;
}

function footnoteFrom(note: unknown): string {
  if (typeof note !== 'object' || note === null || !('id' in note) || !('content' in note)) return '';
  const id = escapeHtml(String(note.id));
  return `<li id="${id}">${String(note.content)} <a href="#${id}-link">↩︎</a></li>`;
}
