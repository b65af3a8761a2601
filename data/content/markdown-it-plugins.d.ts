/** Plugins that come without types. */

declare module 'markdown-it-deflist' {
  import type { MarkdownIt } from 'markdown-it';
  /** What the plugin uses of it. */
  export default function definitionLists(
    md: Pick<MarkdownIt, 'utils'> & {
      readonly block: { readonly ruler: Pick<MarkdownIt['block']['ruler'], 'before'> };
    },
  ): void;
}

declare module 'markdown-it-emoji/lib/data/full.mjs' {
  /** Emoji by their names at GitHub. */
  const table: Readonly<Record<string, string>>;
  export default table;
}
