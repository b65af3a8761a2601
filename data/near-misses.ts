/** How many near misses a message shows. */
const SHOWN = 3;

/** The names nearest to a mistyped one, nearest first: those that differ by a few letters, or contain it. */
export function nearMisses(typed: string, names: Iterable<string>): string[] {
  const wanted = typed.toLowerCase();
  const most = Math.max(1, Math.floor(wanted.length / 3));
  const scored: { readonly name: string; readonly distance: number }[] = [];
  for (const name of names) {
    const candidate = name.toLowerCase();
    const isPart = wanted.length > 2 && (candidate.includes(wanted) || wanted.includes(candidate));
    const distance = isPart ? 1 : editDistance(wanted, candidate, most);
    if (distance <= most) scored.push({ name, distance });
  }
  return scored
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, SHOWN)
    .map(({ name }) => name);
}

/** Levenshtein distance of two texts; if above `most`, any larger number. */
export function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    if (Math.min(...next) > most) return most + 1;
    row = next;
  }
  return row.at(-1) ?? 0;
}
