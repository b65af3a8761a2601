/** An answer's body, and its ETag. */
interface CachedAnswer {
  readonly etag: string;
  readonly text: string;
}

/** In characters of one or two bytes. */
const CAPACITY = 4_000_000;

/** An LRU cache of answer bodies by path. Strings, so that callers cannot change cached values. */
export class AnswerCache {
  readonly #kept = new Map<string, CachedAnswer>();
  #size = 0;

  get(path: string): CachedAnswer | undefined {
    return this.#kept.get(path);
  }

  /** Replaces an earlier answer, and evicts the least recently used ones. */
  set(path: string, answer: CachedAnswer): void {
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
