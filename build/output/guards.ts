/** Guards against a build or publish that replaces a blog by something else. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDirectory } from '../../contract/directory.ts';
import { type ObjectHash, objectPath } from '../../contract/object-name.ts';
import type { Pointer } from '../../contract/pointer.ts';
import { dayLimit, knowsPlan, type Limits, minuteLimit, NO_LIMIT } from '../../contract/policy.ts';
import type { SnapshotStorage } from '../history/storage.ts';
import { LimitsLost, OtherBlog, type Target } from '../errors.ts';
import { isSameBlog } from './identity.ts';

/**
 * @param ids of the blog to publish
 * @param posts returns the number of its posts, if known; called only if it is refused
 * @throws OtherBlog
 */
export function guardBlog(
  place: Target,
  served: Pointer | undefined,
  ids: readonly string[],
  posts?: () => number,
): void {
  if (served && !isSameBlog(served.blog, ids)) throw new OtherBlog(place, served, ids[0] ?? null, posts?.());
}

/** Whether more than half of the posts would be removed. */
export function isMostlyGone(before: number, after: number): boolean {
  return after < before / 2;
}

/**
 * Without a configuration, the limits are the defaults. They must not silently replace other limits.
 *
 * @throws LimitsLost
 */
export function guardLimits(place: Target, published: Limits | undefined, limits: Limits): void {
  const changes = published ? limitChanges(published, limits) : [];
  if (changes.length > 0) throw new LimitsLost(place, changes);
}

/** The limits of a snapshot in an output; undefined: its directory cannot be read. */
export function publishedLimits(out: string, snapshot: ObjectHash): Limits | undefined {
  try {
    return parseDirectory(readFileSync(join(out, objectPath('directory', snapshot)), 'utf8')).policy.limits;
  } catch {
    return undefined;
  }
}

/** The limits of a snapshot in a storage; undefined: its directory is missing or damaged. */
export async function limitsIn(storage: SnapshotStorage, snapshot: ObjectHash): Promise<Limits | undefined> {
  const directory = await storage.readObject(objectPath('directory', snapshot));
  return directory && parseDirectory(directory.toString()).policy.limits;
}

/** `limits.minute 60 → 30`; `limits.day.partner 50000 → 100, as user` for a removed plan. */
export function limitChanges(before: Limits, after: Limits): string[] {
  const plans = [...new Set([...Object.keys(before.day), ...Object.keys(after.day)])];
  const isOne = typeof before.minute === 'number' && typeof after.minute === 'number';
  const change = (name: string, of: (limits: Limits) => number, plan?: string): string[] => {
    const [was, is] = [before, after].map((limits) => {
      const isKnown = plan === undefined || knowsPlan(limits, plan);
      return `${formatLimit(of(limits))}${isKnown ? '' : ', as user'}`;
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

function formatLimit(limit: number): string {
  return limit === NO_LIMIT ? 'none' : String(limit);
}
