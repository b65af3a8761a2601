/** How long a request may ask again, and is not counted a second time. */
const KEPT_MS = 600_000;

/** Requests kept in memory: those of ten minutes, up to 3,000 a minute. */
const KEPT = 30_000;

/**
 * Of these, those that are stored and survive a restart of the Durable Object: all of ten minutes, up to 32 a minute. The
 * interface's limit is 30. They are written with each request, so more would cost more than they save.
 */
const STORED = 320;

interface Answered {
  readonly used: number;
  /** Unix seconds. */
  readonly at: number;
}

/**
 * Requests that were counted lately, by their ids, with what was used then: an answer may get lost, and its request comes
 * again. A refused request is not among them, since it was not counted.
 */
export class AnsweredRequests {
  /** In the order of counting. */
  readonly #answered = new Map<string, Answered>();
  /** The last of these as texts: `id.used.at`, in base 36. */
  readonly #stored: string[];

  /** @param text as `toText` gave it */
  constructor(text = '') {
    this.#stored = text === '' ? [] : text.split(' ');
    for (const entry of this.#stored) {
      const [id = '', used = '', at = ''] = entry.split('.');
      this.#answered.set(id, { used: Number.parseInt(used, 36), at: Number.parseInt(at, 36) });
    }
  }

  /** What was used when the request of this id was counted; undefined where none was in the last ten minutes. */
  find(id: string, nowMs: number): number | undefined {
    const known = this.#answered.get(id);
    return known && !isOld(known, nowMs) ? known.used : undefined;
  }

  /** @param id of letters, digits, `-` and `_` */
  add(id: string, used: number, nowMs: number): void {
    for (const [oldest, answered] of this.#answered) {
      if (!isOld(answered, nowMs) && this.#answered.size < KEPT) break;
      this.#answered.delete(oldest);
    }
    const at = Math.floor(nowMs / 1000);
    this.#answered.set(id, { used, at });
    this.#stored.push(`${id}.${used.toString(36)}.${at.toString(36)}`);
    while (this.#stored.length > Math.min(STORED, this.#answered.size)) this.#stored.shift();
  }

  /** What is stored of them. */
  toText(): string {
    return this.#stored.join(' ');
  }
}

function isOld({ at }: Answered, nowMs: number): boolean {
  return (at + 1) * 1000 <= nowMs - KEPT_MS;
}
