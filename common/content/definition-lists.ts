import type { MarkdownIt } from 'markdown-it';
import plugin from 'markdown-it-deflist';

type Ruler = MarkdownIt['block']['ruler'];

/** Definition lists as in kramdown: a definition begins with `:`, not with `~`, which the plugin accepts too. */
export function definitionLists({ utils, block: { ruler } }: MarkdownIt): void {
  const before: Ruler['before'] = (name, rule, parse, options) =>
    ruler.before(
      name,
      rule,
      (state, start, end, silent) => {
        const line = start + (state.isEmpty(start + 1) ? 2 : 1);
        const marker =
          line < end ? state.src[(state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0)] : undefined;
        return marker !== '~' && parse(state, start, end, silent);
      },
      options,
    );
  plugin({ utils, block: { ruler: { before } } });
}
