import type { MarkdownIt, StateCore, Token } from 'markdown-it';

/** Elements that authors use in a description. */
const ELEMENTS = new Set(
  (
    'a abbr b bdi bdo big br cite code del dfn em font i img ins kbd mark q rp rt ruby s samp small span strike ' +
    'strong sub sup time tt u var wbr ' +
    'blockquote div figcaption figure h1 h2 h3 h4 h5 h6 hr li ol p pre ul'
  ).split(' '),
);
/** Elements without an end tag. */
const VOID = new Set(['br', 'hr', 'img', 'wbr']);

/**
 * Markdown of a description in front matter: text that may look like HTML (`Using <style>`, `Box<dyn Error>`). Only known
 * elements with both tags are markup.
 */
export function lineMarkup(md: MarkdownIt): void {
  md.block.ruler.disable('html_block');
  md.core.ruler.after('inline', 'line_markup', ({ tokens }: StateCore) => {
    const tags = tokens.flatMap(
      ({ children }) => children?.filter(({ type }) => type === 'html_inline') ?? [],
    );
    const markup = markupIn(tags);
    for (const tag of tags) if (!markup.has(tag)) tag.type = 'text';
  });
}

function markupIn(tags: readonly Token[]): ReadonlySet<Token> {
  const markup = new Set<Token>();
  const open = new Map<string, Token[]>();
  for (const tag of tags) {
    const [, close, written = ''] = /^<(\/?)([a-z][a-z\d]*)(?=[\s/>])/i.exec(tag.content) ?? [];
    const name = written.toLowerCase();
    if (!ELEMENTS.has(name)) continue;
    if (VOID.has(name)) markup.add(tag);
    else if (close === '') open.set(name, [...(open.get(name) ?? []), tag]);
    else {
      const begin = open.get(name)?.pop();
      if (begin !== undefined) markup.add(begin).add(tag);
    }
  }
  return markup;
}
