/** Plugins that come without types. */

declare module 'markdown-it-deflist' {
  import type { MarkdownIt } from 'markdown-it';
  export default function definitionLists(md: MarkdownIt): void;
}

declare module 'markdown-it-emoji/lib/data/full.mjs' {
  /** Emoji by their names at GitHub. */
  const table: Readonly<Record<string, string>>;
  export default table;
}
