/** Tallies as text, for homes that keep them in a table: short, since each count writes a row. */
import { decimal } from './decimal.ts';
import type { DayCount, Log } from './quota.ts';

/** A log: `time*count`, times as differences in milliseconds; a count of 1 is omitted. */
export function formatLog({ times, counts }: Log): string {
  return times
    .map((time, i) => {
      const step = decimal(time - (times[i - 1] ?? 0));
      return counts[i] === 1 ? step : `${step}*${decimal(counts[i] ?? 0)}`;
    })
    .join(' ');
}

export function logOf(text: string): Log {
  let time = 0;
  const pairs = pairsOf(text);
  return {
    times: pairs.map(([step = 0]) => (time += step)),
    counts: pairs.map(([, count = 1]) => count),
  };
}

/** Days: `day*used`. */
export function formatDays(days: readonly DayCount[]): string {
  return days.map(({ day, used }) => `${decimal(day)}*${decimal(used)}`).join(' ');
}

export function daysOf(text: string): DayCount[] {
  return pairsOf(text).map(([day = 0, used = 0]) => ({ day, used }));
}

function pairsOf(text: string): number[][] {
  return text === '' ? [] : text.split(' ').map((pair) => pair.split('*').map(Number));
}
