/** The name nearest to a mistyped one: it differs by a few letters, or one contains the other. Undefined: none is near. */
export function findNearest(typed: string, names: readonly string[]): string | undefined {
  const wanted = typed.toLowerCase();
  const distanceTo = (name: string): number => {
    const candidate = name.toLowerCase();
    const isPart = wanted.length > 2 && (candidate.includes(wanted) || wanted.includes(candidate));
    return isPart ? 1 : editDistance(wanted, candidate);
  };
  const most = Math.max(1, Math.floor(wanted.length / 3));
  const near = names.filter((name) => distanceTo(name) <= most);
  return near.toSorted((a, b) => distanceTo(a) - distanceTo(b) || (a < b ? -1 : 1))[0];
}

/** Levenshtein distance of two texts. */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
