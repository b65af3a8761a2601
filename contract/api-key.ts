/**
 * The format of API keys: `opk_`, a public id of 8 characters, `_`, 32 random characters, and a checksum of 6
 * characters, all base 62. The checksum lets the gateway refuse invented keys without a look-up.
 */

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const FORM = /^opk_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/;
const ANYWHERE = /opk_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}/g;
const CHECKED_LENGTH = 45; // without the checksum
const PREFIX_LENGTH = 12;

/** The random characters of a new key: 8 of the public id and 32 of the secret. */
export const RANDOM_CHARACTERS = 40;

/** @param random RANDOM_CHARACTERS numbers, uniformly distributed over 0 to 61 */
export function formatKey(random: ArrayLike<number>): string {
  const characters = Array.from(random, (value) => DIGITS[value]).join('');
  const checked = `opk_${characters.slice(0, 8)}_${characters.slice(8)}`;
  return checked + checksum(checked);
}

/** Whether a text has the format of a key and a valid checksum. */
export function isWellFormedKey(key: string): boolean {
  return FORM.test(key) && checksum(key.slice(0, CHECKED_LENGTH)) === key.slice(CHECKED_LENGTH);
}

/** Whether a text contains a well-formed key. */
export function containsKey(text: string): boolean {
  return text.includes('opk_') && (text.match(ANYWHERE) ?? []).some(isWellFormedKey);
}

/** The part that may be shown: `opk_` and the public id. */
export function keyPrefix(key: string): string {
  return key.slice(0, PREFIX_LENGTH);
}

/** The prefix that a user names: of a whole key, or as it is. */
export function namedPrefix(text: string): string {
  return isWellFormedKey(text) ? keyPrefix(text) : text;
}

/** A text without the secret parts of keys, in any letter case: for messages and logs. */
export function withoutSecrets(text: string): string {
  return text.replace(/(opk_[0-9A-Za-z]{8})_[0-9A-Za-z]+/gi, '$1_…');
}

/** CRC-32 (ISO-HDLC, as in zlib and PNG), written as 6 base-62 digits. */
function checksum(text: string): string {
  let crc = 0xffffffff;
  for (let i = 0; i < text.length; i++) {
    crc = (crc >>> 8) ^ CRC_TABLE[(crc ^ text.charCodeAt(i)) & 0xff]!;
  }
  let rest = (crc ^ 0xffffffff) >>> 0;
  let digits = '';
  for (let i = 0; i < 6; i++) {
    digits = DIGITS[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});
