/** Plugins that come without types. */

declare module 'markdown-it-deflist' {
  import type { MarkdownIt } from 'markdown-it';
  export default function definitionLists(md: MarkdownIt): void;
}

declare module 'markdown-it-emoji' {
  import type { MarkdownIt } from 'markdown-it';
  export function full(md: MarkdownIt, options?: { readonly shortcuts?: Record<string, string> }): void;
}
