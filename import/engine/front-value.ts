import type { FrontMatter, FrontValue } from '../front-matter/front-matter.ts';

/** Deeper values are dropped: nobody writes them. */
const MAX_DEPTH = 50;

/** Converts front matter that an engine has parsed to the form of the Markdown reader, without these keys. */
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
