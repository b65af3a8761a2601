/** The middle one; of an even number, the lower of the two in the middle. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value that a share of all values does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
