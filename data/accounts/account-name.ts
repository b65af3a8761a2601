import { lengthFault, TEXT_LIMITS } from '../../contract/text-limits.ts';

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * The form in which account names are compared: names that look the same, except for case, are one account. White space
 * around a name and invisible characters are dropped, inner white space becomes one space, and case is folded as in
 * canonical caseless matching (Unicode, chapter 3.13, D145).
 *
 * JavaScript has no case folding. For a single code point, lower(upper(lower(c))) gives the same classes as
 * CaseFolding.txt (statuses C and F), except for the dotless i: its capital is I, but it does not fold to i.
 */
export function foldName(name: string): string {
  const visible = name.normalize('NFD').replace(INVISIBLE, '').trim().replace(/\s+/gu, ' ');
  return Array.from(visible, foldCodePoint).join('').normalize('NFC');
}

function foldCodePoint(character: string): string {
  return character === 'ı' ? character : character.toLowerCase().toUpperCase().toLowerCase();
}

/** Why a text cannot be the name of an account or a key; null: it can. */
export function nameFault(name: string): string | null {
  if (foldName(name) === '') return 'it is blank';
  if (/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(name))
    return 'it contains control or direction characters';
  if (!name.isWellFormed()) return 'it is not valid Unicode';
  return lengthFault(name, TEXT_LIMITS.name);
}
