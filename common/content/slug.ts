/**
 * A post's slug from its blog's own name for it. Letters of any script keep their case, since the site itself serves
 * them so; white space and characters with a meaning in addresses (`/ ? # % …`) become `-`. Dots at both ends are
 * removed: no slug may look like `..`. May be empty.
 */
export function tidySlug(text: string): string {
  return text
    .slice(0, MAX_WRITTEN)
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Z}\s"#%<>?[\\\]^`{|}/]+/gu, '-')
    .replace(/-{2,}/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '');
}

/** A slug has 500 characters at most; real ones are never this long. */
const MAX_WRITTEN = 10_000;

/** Decodes `%D0%9C` and the like, once; unchanged if the encoding is invalid. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
