/** A row that cannot be published, or only with changes, and why. */
export interface SkippedRow {
  readonly table: string;
  /** Its slug or username, or else its id. */
  readonly row: string;
  readonly reason: string;
}
