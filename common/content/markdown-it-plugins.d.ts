/** Plugins without types of their own. */

declare module 'markdown-it-deflist' {
  import type { MarkdownIt } from 'markdown-it';
  /** The part of the API that the plugin uses. */
  export default function definitionLists(
    md: Pick<MarkdownIt, 'utils'> & {
      readonly block: { readonly ruler: Pick<MarkdownIt['block']['ruler'], 'before'> };
    },
  ): void;
}

declare module 'markdown-it-emoji/lib/data/full.mjs' {
  /** Emoji by their GitHub names. */
  const table: Readonly<Record<string, string>>;
  export default table;
}
