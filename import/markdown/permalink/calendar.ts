const DAY = 86_400_000;

/** From 1, in UTC. */
export function dayOfYear(date: Date): number {
  return Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / DAY) + 1;
}

/** ISO 8601: a week belongs to the year of its Thursday. */
export function isoWeek(date: Date): { week: number; weekYear: number } {
  const thursday = new Date(date.getTime() + (4 - (date.getUTCDay() || 7)) * DAY);
  return { week: Math.ceil(dayOfYear(thursday) / 7), weekYear: thursday.getUTCFullYear() };
}
