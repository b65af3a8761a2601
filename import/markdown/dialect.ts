import { COMMONMARK, type Dialect } from '../../common/content/markdown.ts';
import { field, flagField, textField, wordsOf } from './fields.ts';
import type { Site } from './site.ts';

/**
 * The Markdown dialect of a site's posts, by its configuration.
 *
 * @param liquid whether the text may be for Jekyll or 11ty, if there is no configuration
 */
export function dialectOf(
  { generator, config }: Pick<Site, 'generator' | 'config'>,
  liquid: boolean,
): Dialect {
  switch (generator) {
    case 'jekyll': {
      if (!/^kramdown$/i.test(textField(config, 'markdown') ?? 'kramdown')) return COMMONMARK;
      const quotes = wordsOf(field(config, 'kramdown.smart_quotes'));
      return { name: 'kramdown', quotes: !/\b(?:apos|quot)\b/.test(quotes) };
    }
    case 'hugo': {
      const goldmark = 'markup.goldmark';
      const typographer = `${goldmark}.extensions.typographer`;
      return {
        name: 'goldmark',
        typographer:
          flagField(config, typographer) !== false && flagField(config, `${typographer}.disable`) !== true,
        unsafe: flagField(config, `${goldmark}.renderer.unsafe`) === true,
      };
    }
    case 'zola':
      return COMMONMARK;
    case null:
      return liquid ? { name: 'unknown' } : COMMONMARK;
  }
}
