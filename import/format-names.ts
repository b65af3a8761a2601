/** The names of formats in `import` and `offprint.json`. Separate from the formats, so that names load no reader. */
export const FORMAT_NAMES = [
  'markdown',
  'hugo',
  'jekyll',
  'wordpress',
  'ghost',
  'feed',
  'sql',
  'items',
] as const;

export type FormatName = (typeof FORMAT_NAMES)[number];

export function isFormatName(word: string): word is FormatName {
  return FORMAT_NAMES.some((name) => name === word);
}
