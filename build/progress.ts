/** Who is told how a build goes on; the command line shows it. */
export interface BuildProgress {
  /** A step begins: what it does, and how many pieces it has. */
  begin(step: string, total: number): void;
  advance(pieces: number): void;
  end(): void;
}

export const SILENT: BuildProgress = {
  begin: () => undefined,
  advance: () => undefined,
  end: () => undefined,
};
