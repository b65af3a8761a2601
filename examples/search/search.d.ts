/** Reads a file of the output, `snapshot.json` or `objects/…`. */
export type ReadFile = (path: string) => Promise<Uint8Array>;

/** A post as lists of the API show it, with 0 for its views. */
export interface Summary {
  readonly slug: string;
  readonly title: string;
  readonly description: string | null;
  readonly tags: readonly string[];
  readonly url: string;
}

export class Search {
  /** Opens the snapshot that is published now. */
  static open(read: ReadFile): Promise<Search>;
  /** The positions of the posts in which every term of `q` occurs, oldest first. */
  find(q: string): Promise<number[]>;
  summary(position: number): Promise<Summary>;
}
