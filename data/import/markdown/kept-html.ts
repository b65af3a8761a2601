/**
 * HTML that a generator puts into a text after its Markdown is rendered: until then, a word stands for it, as Hugo
 * does with its shortcodes.
 */
export interface KeptHtml {
  /** The word that stands for it. */
  readonly keep: (html: string) => string;
  /** The rendered text, with what the words stand for; in a paragraph of its own, without the paragraph. */
  readonly restored: (rendered: string) => string;
}

/** @param text in which the words must not be */
export function keptHtml(text: string): KeptHtml {
  let word = 'kepthtml';
  while (text.includes(word)) word += 'x';
  const kept: string[] = [];
  const all = new RegExp(`<p>${word}(\\d+)z</p>|${word}(\\d+)z`, 'g');
  const inId = new RegExp(`(?<= id="[^"]*)${word}\\d+z`, 'g');
  // What is kept inside has a lower number.
  const put = (html: string): string =>
    html.replace(all, (_word, alone: string | undefined, within: string) =>
      put(kept[Number(alone ?? within)] ?? ''),
    );
  return {
    keep: (html) => `${word}${kept.push(html) - 1}z`,
    restored: (rendered) => put(rendered.replace(inId, '')),
  };
}
