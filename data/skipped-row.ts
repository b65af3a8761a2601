/** A row that cannot be exported, or only with changes, and why. */
export interface SkippedRow {
  /** The table, or the view of a live database. */
  readonly table: string;
  /** Its slug or username, or else its id. */
  readonly row: string;
  readonly reason: string;
}
