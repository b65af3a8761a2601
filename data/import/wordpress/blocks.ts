import { escapeHtml } from '../text.ts';

/** What blocks may refer to outside of the body. */
export interface BlockSources {
  /** The content of a pattern, by its number. */
  readonly pattern: (id: string) => string | null;
  /** The custom field `footnotes`: a list in JSON. */
  readonly footnotes: string | null;
}

/** Whether the block editor wrote the body; then its HTML is complete. */
export function hasBlocks(body: string): boolean {
  return /<!--\s+wp:/.test(body);
}

/** Patterns may hold patterns, and one might hold itself. */
const MAX_DEPTH = 3;

/**
 * Puts in what a block only refers to: patterns, footnotes, addresses of embeds. The comments of blocks
 * go later, with all others.
 */
export function expandBlocks(body: string, sources: BlockSources, depth = 0): string {
  return body
    .replace(/<!--\s+wp:block\s+(\{[^]*?\})\s+\/-->/g, (_, json: string) => {
      const id = /"ref"\s*:\s*(\d+)/.exec(json)?.[1];
      const content = id === undefined || depth === MAX_DEPTH ? null : sources.pattern(id);
      return content === null ? '' : expandBlocks(content, sources, depth + 1);
    })
    .replace(/<!--\s+wp:(?:core-)?embed\b[^]*?"url":"([^"\\]+)"[^]*?(\/?)-->/g, (whole, url: string, self) =>
      self === '/' ? `\n${url}\n` : whole,
    )
    .replace(/<!--\s+wp:footnotes\b[^]*?\/?-->/g, () => footnotesOf(sources.footnotes))
    .replace(/(<!--\s+wp:shortcode\s+-->)([^]*?)(?=<!--\s+\/wp:shortcode\s+-->)/g, shortcodesOnly);
}

/** In a block of shortcodes even `[name]` alone is one. */
function shortcodesOnly(_: string, open: string, text: string): string {
  return open + text.replace(/\[([A-Za-z][\w-]*)\](?![^]*\[\/\1\])/g, '[$1 /]');
}

function footnotesOf(json: string | null): string {
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
