/** The number that touchEveryPost wrote into a title or body; null: none. */
export function generationOf(text: string): number | null {
  const found = /\[generation (\d+)\]/u.exec(text)?.[1];
  return found === undefined ? null : Number(found);
}
