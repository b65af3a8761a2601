/** What `import` and `offprint.json` call the formats. Apart from the formats, so that to know names loads none. */
export const FORMAT_NAMES = [
  'markdown',
  'hugo',
  'jekyll',
  'wordpress',
  'ghost',
  'feed',
  'blogger',
  'medium',
  'substack',
] as const;

export type FormatName = (typeof FORMAT_NAMES)[number];
