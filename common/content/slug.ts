/**
 * A post's slug from its blog's own name for it. Letters of any script keep their case, since the site itself serves
 * them so; white space and characters with a meaning in addresses (`/ ? # % …`) become `-`. Dots at both ends are
 * removed: no slug may look like `..`. Characters that nobody sees are removed, except for joiners in scripts and emoji
 * that need them. May be empty.
 */
export function tidySlug(text: string): string {
  return text
    .slice(0, MAX_WRITTEN)
    .toWellFormed()
    .replace(INVISIBLE, '')
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Z}\s"#%<>?[\\\]^`{|}/]+/gu, '-')
    .replace(/-{2,}/g, '-')
    .replace(/^[-.]+|[-.\u200C\u200D]+$/g, '');
}

/** Direction marks, spaces without a width and the like, and joiners after anything but such a script or a picture. */
const INVISIBLE =
  /(?![\u200C\u200D])(?=\p{DI})\p{Cf}|[\u3164\uFFA0]|(?<![\p{Lo}\p{M}\p{Extended_Pictographic}\p{EMod}])[\u200C\u200D]/gu;

/** A slug has 1,000 characters at most; real ones are never this long. */
const MAX_WRITTEN = 10_000;

/** Decodes `%D0%9C` and the like, once; unchanged if the encoding is invalid. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
