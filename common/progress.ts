/** Receives the progress of a build, publish or import; the command line shows it. */
export interface Progress {
  /** A step begins. @param total pieces of work in it */
  begin(step: string, total: number): void;
  advance(pieces: number): void;
  end(): void;
}

export const SILENT: Progress = {
  begin: () => undefined,
  advance: () => undefined,
  end: () => undefined,
};
