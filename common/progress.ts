/** Who is told how a build, a publish or an import goes on; the command line shows it. */
export interface Progress {
  /** A step begins: what it does, and how many pieces it has. */
  begin(step: string, total: number): void;
  advance(pieces: number): void;
  end(): void;
}

export const SILENT: Progress = {
  begin: () => undefined,
  advance: () => undefined,
  end: () => undefined,
};
