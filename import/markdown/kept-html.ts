/**
 * HTML that a generator inserts after rendering the Markdown: until then, a placeholder word stands for it, as with
 * Hugo's shortcodes.
 */
export interface KeptHtml {
  /** Returns the placeholder. */
  readonly keep: (html: string) => string;
  /** Replaces placeholders in the rendered text; one that is alone in a paragraph replaces the paragraph too. */
  readonly restored: (rendered: string) => string;
}

/** @param text must not contain the placeholders */
export function keptHtml(text: string): KeptHtml {
  let word = 'kepthtml';
  while (text.includes(word)) word += 'x';
  const kept: string[] = [];
  const all = new RegExp(`<p>${word}(\\d+)z</p>|${word}(\\d+)z`, 'g');
  const inId = new RegExp(`(?<= id="[^"]*)${word}\\d+z`, 'g');
  // Nested HTML has a lower number.
  const put = (html: string): string =>
    html.replace(all, (_word, alone: string | undefined, within: string) =>
      put(kept[Number(alone ?? within)] ?? ''),
    );
  return {
    keep: (html) => `${word}${kept.push(html) - 1}z`,
    restored: (rendered) => put(rendered.replace(inId, '')),
  };
}
