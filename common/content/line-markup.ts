import type { MarkdownIt, StateCore, Token } from 'markdown-it';

/** Elements that authors use in a title. */
const INLINE = new Set(
  (
    'a abbr b bdi bdo big br cite code del dfn em font i img ins kbd mark q rp rt ruby s samp small span strike ' +
    'strong sub sup time tt u var wbr'
  ).split(' '),
);
/** Additional elements for a description of several paragraphs. */
const BLOCKS = new Set('blockquote div figcaption figure h1 h2 h3 h4 h5 h6 hr li ol p pre ul'.split(' '));
/** Elements without an end tag. */
const VOID = new Set(['br', 'hr', 'img', 'wbr']);

/**
 * Markdown of a title or a description in front matter: text that may look like HTML (`Using <style>`, `Box<dyn
 * Error>`). Only known elements with both tags are markup; a title has no blocks.
 */
export function lineMarkup(md: MarkdownIt): void {
  md.block.ruler.disable('html_block');
  md.core.ruler.after('inline', 'line_markup', ({ tokens, inlineMode }: StateCore) => {
    const tags = tokens.flatMap(
      ({ children }) => children?.filter(({ type }) => type === 'html_inline') ?? [],
    );
    const markup = markupIn(tags, inlineMode);
    for (const tag of tags) if (!markup.has(tag)) tag.type = 'text';
  });
}

function markupIn(tags: readonly Token[], isTitle: boolean): ReadonlySet<Token> {
  const markup = new Set<Token>();
  const open = new Map<string, Token[]>();
  for (const tag of tags) {
    const [, close, written = ''] = /^<(\/?)([a-z][a-z\d]*)(?=[\s/>])/i.exec(tag.content) ?? [];
    const name = written.toLowerCase();
    if (!INLINE.has(name) && (isTitle || !BLOCKS.has(name))) continue;
    if (VOID.has(name)) markup.add(tag);
    else if (close === '') open.set(name, [...(open.get(name) ?? []), tag]);
    else {
      const begin = open.get(name)?.pop();
      if (begin !== undefined) markup.add(begin).add(tag);
    }
  }
  return markup;
}
