/** The longest pause that a server is granted, in seconds. If it asks for more, the import ends. */
export const MAX_WAIT = 120;

/** The seconds from now that `Retry-After` asks for (RFC 9110, 10.2.3); null where it says them neither so nor as a date. */
export function secondsIn(header: string | null): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const until = Date.parse(header);
  return Number.isNaN(until) ? null : Math.max(0, Math.ceil((until - Date.now()) / 1000));
}
