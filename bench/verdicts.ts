/** A figure, and its maximum. */
export interface Verdict {
  readonly what: string;
  readonly measured: number;
  readonly limit: number;
}

export function atMost(what: string, measured: number, limit: number): Verdict {
  return { what, measured, limit };
}

/** A figure that is not a number does not pass. */
function passes({ measured, limit }: Verdict): boolean {
  return measured <= limit;
}

/** Prints a line for each: PASS or FAILS. The process exits with 1 if one fails. */
export function printVerdicts(verdicts: readonly Verdict[]): void {
  for (const verdict of verdicts) {
    const { what, measured, limit } = verdict;
    const mark = passes(verdict) ? 'PASS ' : 'FAILS';
    console.log(`${mark}  ${what.padEnd(60)} ${shown(measured).padStart(10)}  at most ${shown(limit)}`);
  }
  if (!verdicts.every(passes)) process.exitCode = 1;
}

/** A whole number with separators, any other with three digits. */
export function shown(value: number): string {
  return Number.isInteger(value) ? value.toLocaleString('en') : String(Number(value.toPrecision(3)));
}
