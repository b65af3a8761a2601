/** UTC days, counted from 1970-01-01, for quotas and usage. */

const DAY_MS = 86_400_000;

/** The day of a time in milliseconds since the Unix epoch. */
export function dayNumber(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

/** When a day starts, in milliseconds since the Unix epoch. */
export function dayStart(day: number): number {
  return day * DAY_MS;
}

/** `2026-01-31` */
export function formatDay(day: number): string {
  return new Date(dayStart(day)).toISOString().slice(0, 10);
}
