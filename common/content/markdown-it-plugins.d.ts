/** Plugins without types of their own. */

declare module 'markdown-it-emoji' {
  import type { MarkdownIt } from 'markdown-it';
  /** Replaces GitHub's names of emoji (`:smile:`). */
  export function full(
    md: MarkdownIt,
    options: { readonly shortcuts: Readonly<Record<string, string>> },
  ): void;
}
