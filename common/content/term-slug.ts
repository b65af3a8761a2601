/**
 * The slug of a category, a tag or an author, from its name. One rule for all formats:
 *
 * 1. Signs that distinguish names are spelt out: `C++` is `c-plus-plus`, `C#` is `c-sharp`,
 *    `.NET` is `dot-net`. Without this C, C++ and C# were one tag.
 * 2. Lower case, in Unicode normal form NFKC.
 * 3. Letters, combining marks and digits of any script stay; each run of anything else becomes one `-`.
 * 4. A name of only signs (an emoji) becomes its code points: `u-1f389`.
 */
export function termSlug(name: string): string {
  // Names that are too long are rejected later, by length.
  const spelt = name
    .slice(0, 2000)
    .normalize('NFKC')
    .replace(/(?<=[\p{L}\p{N}]\+*)\+/gu, '-plus-')
    .replace(/(?<=[\p{L}\p{N}])#(?![\p{L}\p{N}])/gu, '-sharp-')
    .replace(/(?<![\p{L}\p{M}\p{N}.])\.(?=[\p{L}\p{N}])/gu, '-dot-');
  const slug = hyphenated(spelt.toLowerCase());
  if (slug !== '') return slug;
  const points = [...name.slice(0, 2000).trim()].map((character) => character.codePointAt(0)?.toString(16));
  return points.length === 0 ? '' : `u-${points.join('-')}`;
}

/** Letters, combining marks and digits of any script; each run of anything else becomes one `-`. */
function hyphenated(text: string): string {
  return text.replace(/[^\p{L}\p{M}\p{N}]+/gu, '-').replace(/^-|-$/g, '');
}
