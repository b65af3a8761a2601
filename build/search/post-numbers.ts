import { type ArticleKey, compareKeys } from '../../contract/article-order.ts';
import { countBefore } from '../../contract/binary-search.ts';
import type { Post } from '../snapshot/blog.ts';
import type { PostChange } from '../snapshot/posts.ts';

/** Posts of the old and the new index, numbered in an order that agrees with both. */
interface PostNumbers {
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
export function numberPosts(
  posts: readonly Post[],
  changes: readonly PostChange[],
  before: number,
  now: number,
): PostNumbers {
  const edited = new Set(changes.map(({ id }) => id));
  const moved = new Set(changes.filter(isMoved).map(({ id }) => id));
  const last = posts[now - 1];
  const isBehind = (key: ArticleKey | undefined) => !key || !last || compareKeys(key, last) > 0;
  if (
    before === now &&
    changes.every((one) => !isMoved(one) || (isBehind(one.before) && isBehind(one.after)))
  ) {
    const changed = posts
      .slice(0, now)
      .flatMap(({ id }, position) =>
        edited.has(id) ? { number: position, was: position, is: position } : [],
      );
    return { numbers: new Uint32Array(now).map((_, i) => i), positions: undefined, changed };
  }
  const old = orderBefore(posts, changes).slice(0, before);
  const present = posts.slice(0, now).map(({ id }) => id);
  const [inOld, inPresent] = [new Set(old), new Set(present)];
  const numbers = new Uint32Array(before);
  const positions = new Uint32Array(before + now);
  const changed = [];
  let number = 0;
  for (let [was, is] = [0, 0]; was < before || is < now; number++) {
    const [earlier, later] = [old[was], present[is]];
    const isUnmoved = (id: number | undefined) => id !== undefined && !moved.has(id);
    const isGone = earlier !== undefined && !(isUnmoved(earlier) && inPresent.has(earlier));
    const isNew = !isGone && later !== undefined && !(isUnmoved(later) && inOld.has(later));
    if (isGone || isNew || (earlier !== undefined && edited.has(earlier)))
      changed.push({ number, was: isNew ? undefined : was, is: isGone ? undefined : is });
    if (!isNew) numbers[was++] = number;
    if (!isGone) positions[number] = is++;
  }
  const isSame = before === now && number === now;
  return { numbers, positions: isSame ? undefined : positions, changed };
}

function isMoved({ before, after }: PostChange): boolean {
  return !before || !after || compareKeys(before, after) !== 0;
}

/** The ids of the posts before the changes, in their order. */
function orderBefore(posts: readonly Post[], changes: readonly PostChange[]): number[] {
  const moved = changes.filter(isMoved);
  const ids = new Set(moved.map(({ id }) => id));
  const kept = posts.filter(({ id }) => !ids.has(id));
  const were = moved
    .flatMap(({ id, before }) => (before ? { id, before } : []))
    .sort((a, b) => compareKeys(a.before, b.before));
  const order: number[] = [];
  let at = 0;
  for (const { id, before } of were) {
    const end = countBefore(kept.length, (i) => compareKeys(kept[i]!, before) <= 0);
    for (; at < end; at++) order.push(kept[at]!.id);
    order.push(id);
  }
  for (; at < kept.length; at++) order.push(kept[at]!.id);
  return order;
}
