/** One constant reply. */
export interface ConstantReply {
  /** Path and query. */
  readonly target: string;
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: string;
}
