/** Guards against a build or publish that replaces a blog by something else. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseLimits } from '../../contract/directory.ts';
import { type ObjectHash, objectPath } from '../../contract/object-name.ts';
import type { Pointer } from '../../contract/pointer.ts';
import { dayLimit, knowsPlan, type Limits, minuteLimit, NO_LIMIT } from '../../contract/policy.ts';
import { LimitsLost, OtherBlog, type Place } from '../errors.ts';
import { isSameBlog } from './identity.ts';

/**
 * @param ids of the blog to publish
 * @param posts returns the number of its posts, if known; called only if it is refused
 * @throws OtherBlog
 */
export function guardBlog(
  place: Place,
  served: Pointer | undefined,
  ids: readonly string[],
  posts?: () => number,
): void {
  if (served && !isSameBlog(served.blog, ids)) throw new OtherBlog(place, served, ids[0] ?? null, posts?.());
}

/** Whether more than half of the posts would go. */
export function isMostlyGone(before: number, after: number): boolean {
  return after < before / 2;
}

/**
 * Without a configuration, the limits are the defaults. They must not silently replace other limits.
 *
 * @throws LimitsLost
 */
export function guardLimits(place: Place, published: Limits | undefined, limits: Limits): void {
  const changes = published ? limitChanges(published, limits) : [];
  if (changes.length > 0) throw new LimitsLost(place, changes);
}

/** The limits of a snapshot of any format; undefined: its directory cannot be read. */
export function publishedLimits(out: string, snapshot: ObjectHash): Limits | undefined {
  try {
    return parseLimits(readFileSync(join(out, objectPath('directory', snapshot)), 'utf8'));
  } catch {
    return undefined;
  }
}

/** `limits.minute 60 → 30`; `limits.day.partner 50000 → 100, as user` for a plan that is gone. */
export function limitChanges(before: Limits, after: Limits): string[] {
  const plans = [...new Set([...Object.keys(before.day), ...Object.keys(after.day)])];
  const isOne = typeof before.minute === 'number' && typeof after.minute === 'number';
  const change = (name: string, of: (limits: Limits) => number, plan?: string): string[] => {
    const [was, is] = [before, after].map((limits) => {
      const isKnown = plan === undefined || knowsPlan(limits, plan);
      return `${inWords(of(limits))}${isKnown ? '' : ', as user'}`;
    });
    return was === is ? [] : [`limits.${name} ${was} → ${is}`];
  };
  return [
    ...plans.flatMap((plan) => change(`day.${plan}`, (limits) => dayLimit(limits, plan), plan)),
    ...(isOne
      ? change('minute', (limits) => minuteLimit(limits, 'user'))
      : plans.flatMap((plan) => change(`minute.${plan}`, (limits) => minuteLimit(limits, plan), plan))),
  ];
}

function inWords(limit: number): string {
  return limit === NO_LIMIT ? 'none' : String(limit);
}
