/** A row that cannot be exported, or not as it is, and why. */
export interface SkippedRow {
  /** The table, or the view of a live database. */
  readonly table: string;
  /** How to find it: its slug or username where it has one, else its id. */
  readonly row: string;
  readonly reason: string;
}
