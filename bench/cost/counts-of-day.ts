import { extendBurst, newBurst } from '../../gateway/worker/burst.ts';
import { Random } from '../generate/random.ts';
import type { Traffic } from './usage.ts';

/** Days whose average is taken, if bursts are random. */
const DAYS = 5000;

/** Far apart, in milliseconds. */
const APART = 1e6;

/** Far from a limit. */
const ROOM = { remaining: Infinity, minuteRemaining: Infinity, reset: 86_400 };

/** A principal's rows on a day on average, by the rule of the Worker, and how many of them settle a burst. */
export function countsOfDay({ burst, isRandom = false, perPrincipalDay }: Traffic) {
  const days = isRandom ? DAYS : 1;
  const random = new Random(1);
  const all = { rows: 0, settled: 0 };
  for (let day = 0; day < days; day++) {
    const state = newBurst();
    let left = perPrincipalDay;
    for (let start = APART; left > 0; start += APART) {
      let length = isRandom ? 1 : burst;
      while (isRandom && random.chance(1 - 1 / burst)) length += 1;
      for (let i = 0; i < length && left > 0; i++, left--) {
        if (!extendBurst(state, ROOM, start + i)) all.rows += 1;
      }
      if (state.ahead === 0) continue;
      state.ahead = 0;
      all.rows += 1;
      all.settled += 1;
    }
  }
  return { rows: all.rows / days, settled: all.settled / days };
}
