import { tidyLine } from '../../common/content/text.ts';
import type { ImportedPost } from '../imported-item.ts';
import { isList, isTable, type FrontMatter, type FrontValue } from './front-matter.ts';

const DESCRIPTION_FIELDS = ['description', 'excerpt', 'teaser', 'summary', 'subtitle'];
const META_TITLE_FIELDS = ['seo_title', 'meta_title', 'seo.title'];
const META_DESCRIPTION_FIELDS = ['seo_description', 'meta_description', 'seo.description'];

/** The value at a path of keys such as `seo.title`, in any spelling of the keys. */
export function field(frontMatter: FrontMatter, path: string): FrontValue | undefined {
  let value: FrontValue | undefined = frontMatter;
  for (const key of path.split('.')) {
    if (!isTable(value)) return undefined;
    value = value[key] ?? foldedEntry(value, key);
  }
  return value;
}

/** The first of these fields with text, trimmed, or null. */
export function textField(frontMatter: FrontMatter, ...paths: readonly string[]): string | null {
  for (const path of paths) {
    const value = field(frontMatter, path);
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
  }
  return null;
}

/** What the post says about itself. @param toLine makes one line of a description */
export function readDescriptions(
  frontMatter: FrontMatter,
  toLine: (text: string) => string,
): Pick<ImportedPost, 'description' | 'metaTitle' | 'metaDescription'> {
  const line = (fields: readonly string[]): string | null =>
    toLine(textField(frontMatter, ...fields) ?? '') || null;
  return {
    description: line(DESCRIPTION_FIELDS),
    metaTitle: tidyLine(textField(frontMatter, ...META_TITLE_FIELDS) ?? '') || null,
    metaDescription: line(META_DESCRIPTION_FIELDS),
  };
}

/** The meaning of a value: yes, no, or neither. */
export function parseFlag(value: FrontValue | undefined): boolean | null {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return null;
  // YAML 1.1, which Jekyll uses, has all of these.
  if (/^(?:true|yes|y|on|1)$/i.test(value.trim())) return true;
  if (/^(?:false|no|n|off|0)$/i.test(value.trim())) return false;
  return null;
}

/** A value as text: a text trimmed, a flag as written, a list with commas; empty for a table and for no value. */
export function formatValue(value: FrontValue | undefined): string {
  if (isList(value)) return value.map(formatValue).join(',');
  return typeof value === 'string' ? value.trim() : typeof value === 'boolean' ? String(value) : '';
}

/** Whether a value is missing or blank. */
export function isBlankValue(value: FrontValue): boolean {
  return value === null || (typeof value === 'string' && value.trim() === '');
}

/** The values of a key in all spellings in a table: some generators treat `draft` and `Draft` as the same key. */
export function findValues(table: FrontMatter, key: string): FrontValue[] {
  return Object.entries(table)
    .filter(([written]) => foldedKey(written) === key)
    .map(([, value]) => value);
}

/** `seo_title`, `SEO-Title` and `seoTitle` are the same key: generators and themes differ. */
function foldedEntry(table: FrontMatter, key: string): FrontValue | undefined {
  const wanted = foldedKey(key);
  return Object.entries(table).find(
    ([written, value]) => value !== null && foldedKey(written) === wanted,
  )?.[1];
}

/** The normalised form of a key. */
function foldedKey(key: string): string {
  return key.toLowerCase().replace(/[-_\s\p{Cf}]/gu, '');
}
