import type { FrontMatter, FrontValue } from '../markdown/front-matter.ts';

/** Deeper values are left out: nobody writes them. */
const MAX_DEPTH = 50;

/** A page's front matter, which an engine has read, in the form of the reader of Markdown, but for these keys. */
export function frontMatterFrom(
  data: Readonly<Record<string, unknown>>,
  without: ReadonlySet<string>,
): FrontMatter {
  return Object.fromEntries(
    Object.entries(data)
      .filter(([key]) => !without.has(key.toLowerCase()))
      .map(([key, value]) => [key, frontValue(value, 1)]),
  );
}

function frontValue(value: unknown, depth: number): FrontValue {
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((item) => frontValue(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, frontValue(item, depth + 1)]));
}
