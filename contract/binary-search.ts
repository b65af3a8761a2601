/**
 * How many of the first items of an ascending list are before a place.
 *
 * @param count of all items
 * @param isBefore of the item at an index: true for the first ones, then false
 */
export function countBefore(count: number, isBefore: (index: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
