/**
 * A post's slug from what its blog calls it. Letters of any script and their case stay, since the
 * site itself serves them so; white space and the characters that mean something in an address
 * (`/ ? # % …`) become `-`. Dots at the ends go: no slug may look like `..`. May come out empty.
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

/** A slug has 500 characters at most, and so much longer none is written. */
const MAX_WRITTEN = 10_000;

/** The text with `%D0%9C` and the like decoded, once; unchanged where the encoding is broken. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
