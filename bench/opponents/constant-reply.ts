/** One constant reply. */
export interface ConstantReply {
  /** Path and query. */
  readonly target: string;
  readonly status: number;
  /** Alternating names and values. */
  readonly headers: readonly string[];
  readonly body: string;
}
