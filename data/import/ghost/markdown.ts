import { COMMONMARK, renderMarkdown } from '../../content/markdown.ts';

/** HTML of Markdown as Ghost reads it: the end of a line is the end of a line, and `##Title` is a heading. */
export function ghostMarkdown(source: string): string {
  return renderMarkdown(spacedHeadings(source), {
    dialect: COMMONMARK,
    breaks: true,
    linkTo: (written) => written,
  });
}

/** CommonMark wants a space after the signs, except where the text is code. */
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
