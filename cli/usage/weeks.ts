/** Long reports show weeks, so that a year stays readable and its file small. */
import { sumOf, type UsageSummary } from './summary.ts';

const DAYS = 7;

type Day = UsageSummary['days'][number];
type AccountDay = UsageSummary['accounts'][number];

/**
 * Sums up days by week. A week is named by its first day. The last one ends with the last day, so only the first one
 * can be shorter.
 *
 * @param days consecutive, oldest first
 */
export function weeksOf(days: readonly Day[]): Day[] {
  return chunks(days).map((week) => ({ day: week[0]?.day ?? '', ...sumOf(week) }));
}

/** Sums up accounts by the same weeks: newest first, then by requests, most first. */
export function accountWeeks(accounts: readonly AccountDay[], days: readonly Day[]): AccountDay[] {
  const weekOf = new Map(chunks(days).flatMap((week) => week.map(({ day }) => [day, week[0]?.day ?? day])));
  const byWeek = Map.groupBy(accounts, ({ day }) => weekOf.get(day) ?? day);
  return [...byWeek].flatMap(([day, rows]) =>
    [...Map.groupBy(rows, ({ account }) => account)]
      .map(([account, group]) => ({ day, account, ...sumOf(group) }))
      .sort((a, b) => b.requests - a.requests),
  );
}

function chunks(days: readonly Day[]): Day[][] {
  const short = days.length % DAYS;
  const first = short === 0 ? [] : [days.slice(0, short)];
  const whole = Array.from({ length: (days.length - short) / DAYS }, (_, i) =>
    days.slice(short + i * DAYS, short + (i + 1) * DAYS),
  );
  return [...first, ...whole];
}
