import { field, flagField, textField } from '../fields.ts';
import { isTable, type FrontMatter } from '../front-matter.ts';

/**
 * The path below `base_url` at which Zola serves a page: `/blog/hello/`. Null if it depends on how Zola spells
 * non-English letters.
 *
 * @param path relative to the site's root
 */
export function zolaPath(path: string, frontMatter: FrontMatter, config: FrontMatter): string | null {
  const own = textField(frontMatter, 'path');
  if (own !== null) return /[\s#?]/.test(own) ? null : encodeURI(`/${own.replace(/^\/|\/$/g, '')}/`);
  if (!path.startsWith('content/')) return null;
  const folders = path.slice('content/'.length).split('/');
  const stem = (folders.pop() ?? '').replace(/\.[^.]*$/, '');
  const [, shorter = stem, language] = /^(.+)\.([^.]+)$/s.exec(stem) ?? [];
  const isTranslation = language !== undefined && isTable(field(config, `languages.${language}`));
  const name = isTranslation ? shorter : stem;
  const file = name === 'index' ? (folders.pop() ?? '') : name;
  const slug = slugOf(textField(frontMatter, 'slug') ?? file.replace(DATE, ''), config);
  if (slug === null || folders.some((folder) => !SAFE.test(folder))) return null;
  return `/${[...(isTranslation ? [language] : []), ...folders, slug].join('/')}/`;
}

const DATE = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:T[\d:.+Z-]*?)?[_-](?=.)/;
const SAFE = /^[\w~-][\w.~-]*$/;

function slugOf(written: string, config: FrontMatter): string | null {
  const strategy =
    textField(config, 'slugify.paths') ?? (flagField(config, 'slugify_paths') === false ? 'safe' : 'on');
  if (strategy !== 'on') return SAFE.test(written) ? written : null;
  if (/[^\u0020-\u007E]/.test(written)) return null;
  const slug = written
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '-')
    .replace(/^-|-$/g, '');
  return slug === '' ? null : slug;
}
