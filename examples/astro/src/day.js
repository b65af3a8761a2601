const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/**
 * The day of an instant, in UTC.
 *
 * @param {string} time
 */
export const day = (time) => DAY.format(new Date(time));
