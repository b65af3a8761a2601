import { Random } from './random.ts';

/** All posts are from the 15 years before this time (Unix seconds). */
export const END = Date.UTC(2026, 8, 1) / 1000;
const START = Date.UTC(2011, 8, 1) / 1000;

const offsets = 'Z +00:00 +01:00 +02:00 +02:00 +03:00 +05:30 +08:00 +09:00 -03:30 -05:00'.split(' ');

/**
 * The publication time of post `number` of `posts`, in Unix seconds. Times rise with the number, except that
 * neighbours may swap: posts are not always published in the order they were started. Some share a second.
 */
export function timeOf(number: number, posts: number, seed: number): number {
  const sharesTime = number > 0 && new Random(seed, number, 101).chance(0.02);
  const random = new Random(seed, sharesTime ? number - 1 : number, 102);
  const place = ((sharesTime ? number - 1 : number) + 4 * (random.fraction() - 0.5)) / posts;
  const time = START + Math.floor((END - START) * place);
  // A scheduled post is published on the hour.
  const onTheHour = random.chance(0.2) ? time - (time % 3600) : time;
  return Math.min(END - 1, Math.max(START, onTheHour));
}

/** An offset from UTC, as in ISO 8601. */
export function drawOffset(random: Random): string {
  return random.pick(offsets);
}

/** `2026-05-01T09:30:00+02:00` for Unix seconds and an offset from UTC. */
export function timestamp(unix: number, offset: string): string {
  const [hours = 0, minutes = 0] = offset === 'Z' ? [] : offset.slice(1).split(':').map(Number);
  const shift = (hours * 3600 + minutes * 60) * (offset.startsWith('-') ? -1 : 1);
  return new Date((unix + shift) * 1000).toISOString().slice(0, 19) + offset;
}
