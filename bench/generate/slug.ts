/** The maximum length of a slug in characters, as in common blog software. */
const LONGEST = 80;

const table = (from: string, to: string): [string, string][] => {
  const replacements = to.split(' ');
  return [...from].map((character, index) => [character, (replacements[index] ?? '').replace('-', '')]);
};

/** Transliterations for characters that are not a base letter plus an accent. */
const transliterations = new Map<string, string>([
  ...table('ßæœøłđıþð', 'ss ae oe o l d i th d'),
  ...table(
    'абвгдеёжзийклмнопрстуфхцчшщъыьэюя',
    'a b v g d e yo zh z i y k l m n o p r s t u f kh ts ch sh shch - y - e yu ya',
  ),
  ...table('αβγδεζηθικλμνξοπρσςτυφχψω', 'a v g d e z i th i k l m n x o p r s s t y f ch ps o'),
  ...table(
    'ابتثجحخدذرزسشصضطظعغفقكلمنهويةأإآىئءؤ',
    'a b t th j h kh d dh r z s sh s d t z a gh f q k l m n h w y a a i a a y - w',
  ),
]);

/** A slug in the text's own script: lower-case words and hyphens. Empty if the text has no letters. */
export function unicodeSlug(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return shortened(words);
}

/** A slug of a to z, digits and hyphens. Empty if nothing can be transliterated, as with Chinese. */
export function latinSlug(text: string): string {
  const latin = Array.from(
    text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, ''),
    (character) => transliterations.get(character) ?? character,
  ).join('');
  return shortened(latin.match(/[a-z0-9]+/gu) ?? []);
}

function shortened(words: readonly string[]): string {
  let slug = '';
  for (const word of words) {
    if (slug !== '' && slug.length + 1 + word.length > LONGEST) break;
    slug += (slug === '' ? '' : '-') + word.slice(0, LONGEST);
  }
  return slug;
}
