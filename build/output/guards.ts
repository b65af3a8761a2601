/** Guards against a build or publish that replaces a blog by something else. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseLimits } from '../../contract/directory.ts';
import { type ObjectHash, objectPath } from '../../contract/object-name.ts';
import type { Pointer } from '../../contract/pointer.ts';
import { type Limits, NO_LIMIT } from '../../contract/policy.ts';
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

/** `limits.minute 60 → 30` */
function limitChanges(before: Limits, after: Limits): string[] {
  const [old, fresh] = [settingsOf(before), settingsOf(after)];
  return fresh.flatMap(([name, value], i) => {
    const was = old[i]?.[1];
    return was === value ? [] : [`limits.${name} ${was} → ${value}`];
  });
}

function settingsOf({ day, minute }: Limits): [name: string, value: string][] {
  const [address, user, admin] = [day.address, day.user, day.admin].map(inWords);
  const minutes = typeof minute === 'number' ? [minute] : [minute.address, minute.user, minute.admin];
  return [
    ['day.address', address ?? ''],
    ['day.user', user ?? ''],
    ['day.admin', admin ?? ''],
    ['minute', minutes.map(inWords).join('/')],
  ];
}

function inWords(limit: number): string {
  return limit === NO_LIMIT ? 'none' : String(limit);
}
