import type { Difference } from '../snapshot/difference.ts';

/** Posts of the old and the new index, numbered in an order that agrees with both. */
export interface PostNumbers {
  /** The number of each post of the old index. */
  readonly numbers: Uint32Array;
  /** The new position of each number; meaningless for removed posts. Undefined: nothing moved. */
  readonly positions: Uint32Array | undefined;
  /** Posts that were changed, added or removed, in order of numbers, with their old and new positions. */
  readonly changed: readonly {
    readonly number: number;
    readonly was: number | undefined;
    readonly is: number | undefined;
  }[];
}

/** @param before posts in the old index @param now posts in the new index */
export function numberPosts(difference: Difference, before: number, now: number): PostNumbers {
  const { ids, from, edited: editedInPlace, tailBefore, changes } = difference;
  if (before === now && from >= now) {
    const changed = editedInPlace.flatMap(({ position }) =>
      position < now ? { number: position, was: position, is: position } : [],
    );
    return { numbers: new Uint32Array(now).map((_, i) => i), positions: undefined, changed };
  }
  const old = [...ids.slice(0, from), ...tailBefore.map(({ id }) => id)].slice(0, before);
  const present = ids.slice(0, now);
  const edited = new Set<number>();
  const moved = new Set<number>();
  for (const { before: was, after: is } of changes) {
    for (const post of [was, is]) if (post) edited.add(post.id);
    if (was && is && (was.unix !== is.unix || was.slug !== is.slug)) moved.add(is.id);
  }
  const [inOld, inPresent] = [new Set(old), new Set(present)];
  const numbers = new Uint32Array(before);
  const positions = new Uint32Array(before + now);
  const changed = [];
  let number = 0;
  for (let [was, is] = [0, 0]; was < before || is < now; number++) {
    const [earlier, later] = [old[was], present[is]];
    const stays = (id: number | undefined) => id !== undefined && !moved.has(id);
    const isGone = earlier !== undefined && !(stays(earlier) && inPresent.has(earlier));
    const isNew = !isGone && later !== undefined && !(stays(later) && inOld.has(later));
    if (isGone || isNew || (earlier !== undefined && edited.has(earlier)))
      changed.push({ number, was: isNew ? undefined : was, is: isGone ? undefined : is });
    if (!isNew) numbers[was++] = number;
    if (!isGone) positions[number] = is++;
  }
  const isSame = before === now && number === now;
  return { numbers, positions: isSame ? undefined : positions, changed };
}
