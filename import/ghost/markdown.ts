import { renderMarkdown } from '../../common/content/markdown.ts';

/** Renders Markdown as Ghost does: line ends are line breaks, and `##Title` is a heading. */
export function ghostMarkdown(source: string): string {
  return renderMarkdown(spacedHeadings(source), { dialect: 'commonmark', breaks: true });
}

/** CommonMark requires a space after `#`; code is left unchanged. */
function spacedHeadings(source: string): string {
  let fence: string | null = null;
  return source
    .split('\n')
    .map((line) => {
      const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
      if (fence !== null) {
        if (mark?.startsWith(fence)) fence = null;
        return line;
      }
      if (mark !== undefined) fence = mark;
      return line.replace(/^(#{1,6})(?=[^#\s])/, '$1 ');
    })
    .join('\n');
}
