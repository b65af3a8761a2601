/** Who is told how an import goes on. */
export interface ImportProgress {
  /** A step begins: what it does, and how many pieces it has. */
  begin(step: string, total: number): void;
  advance(pieces: number): void;
  end(): void;
}

export const SILENT: ImportProgress = {
  begin: () => undefined,
  advance: () => undefined,
  end: () => undefined,
};
