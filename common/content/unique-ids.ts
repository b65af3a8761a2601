/** Makes equal ids of one text unique: the first is unchanged, the next get `-1`, `-2`. */
export function uniqueIds(): (id: string) => string {
  const taken = new Set<string>();
  /** The next number by id, so that a thousand equal ids need only one pass. */
  const counts = new Map<string, number>();
  return (id) => {
    let free = id;
    let count = counts.get(id) ?? 1;
    for (; taken.has(free); count++) free = `${id}-${count}`;
    counts.set(id, count);
    taken.add(free);
    return free;
  };
}
