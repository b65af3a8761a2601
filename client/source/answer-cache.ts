/** An answer's body, and its ETag. */
interface Kept {
  readonly etag: string;
  readonly text: string;
}

/** In characters, which take one or two bytes each. */
const CAPACITY = 4_000_000;

/** The bodies of the latest answers, by path. Texts, so that nobody changes what the next caller gets. */
export class AnswerCache {
  readonly #kept = new Map<string, Kept>();
  #size = 0;

  get(path: string): Kept | undefined {
    return this.#kept.get(path);
  }

  /** Replaces an earlier answer; those not used for longest go first where there is no room. */
  set(path: string, answer: Kept): void {
    this.#delete(path);
    if (answer.text.length > CAPACITY) return;
    this.#kept.set(path, answer);
    this.#size += answer.text.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#size <= CAPACITY) break;
      this.#delete(oldest);
    }
  }

  #delete(path: string): void {
    this.#size -= this.#kept.get(path)?.text.length ?? 0;
    this.#kept.delete(path);
  }
}
