/** What tells equal ids of one text apart: the first is as it is, then come `-1`, `-2`. */
export function uniqueIds(): (id: string) => string {
  const taken = new Set<string>();
  /** Where counting goes on for an id, so that a thousand equal ones are counted once. */
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
