/** The longest wait that a server may ask for, in seconds. If it asks for more, the import ends. */
export const MAX_WAIT = 120;

/** Parses `Retry-After` (RFC 9110, 10.2.3) to seconds from now; null if it is neither seconds nor a date. */
export function secondsIn(header: string | null): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const until = Date.parse(header);
  return Number.isNaN(until) ? null : Math.max(0, Math.ceil((until - Date.now()) / 1000));
}
