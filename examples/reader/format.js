/**
 * Numbers and dates, in the reader's language.
 */

const numbers = new Intl.NumberFormat();
const days = new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeZone: 'UTC' });
const times = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });

/** @param {number} value */
export const formatNumber = (value) => numbers.format(value);

/**
 * The article's date in its own time zone: the offset is not converted.
 *
 * @param {string} timestamp ISO 8601
 */
export const formatDay = (timestamp) => days.format(new Date(`${timestamp.slice(0, 10)}T00:00:00Z`));

/** @param {number} seconds since 1970 */
export const formatTime = (seconds) => times.format(new Date(seconds * 1000));

/**
 * `1 article`, `12 articles`
 *
 * @param {number} value
 * @param {string} one
 */
export const counted = (value, one) => `${formatNumber(value)} ${one}${value === 1 ? '' : 's'}`;

/**
 * `42 s`, `3 min`
 *
 * @param {number} seconds
 */
export const formatWait = (seconds) => (seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`);
