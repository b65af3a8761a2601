/** How long a retried request is not counted again. */
const KEPT_MS = 600_000;

/** Requests in memory: those of ten minutes, up to 3,000 a minute. */
const KEPT = 30_000;

/**
 * Requests stored, which survive a restart of the Durable Object: those of ten minutes, up to 32 a minute. The interface's
 * limit is 30. They are written with each row, so storing more costs more than it saves.
 */
const STORED = 320;

interface Counted {
  readonly used: number;
  /** Unix seconds. */
  readonly at: number;
}

/**
 * Recently counted requests by id, with the usage at that time: if an answer is lost, the request is retried. Refused
 * requests are not counted, so they are not included.
 */
export class CountedRequests {
  /** In counting order. */
  readonly #counted = new Map<string, Counted>();
  /** The latest as text: `id.used.at`, in base 36. */
  readonly #stored: string[];

  /** @param text from `toText` */
  constructor(text = '') {
    this.#stored = text === '' ? [] : text.split(' ');
    for (const entry of this.#stored) {
      const [id = '', used = '', at = ''] = entry.split('.');
      this.#counted.set(id, { used: Number.parseInt(used, 36), at: Number.parseInt(at, 36) });
    }
  }

  /** The usage when this request was counted; undefined: not in the last ten minutes. */
  find(id: string, nowMs: number): number | undefined {
    const known = this.#counted.get(id);
    return known && !isOld(known, nowMs) ? known.used : undefined;
  }

  /** @param id of letters, digits, `-` and `_` */
  add(id: string, used: number, nowMs: number): void {
    for (const [oldest, counted] of this.#counted) {
      if (!isOld(counted, nowMs) && this.#counted.size < KEPT) break;
      this.#counted.delete(oldest);
    }
    const at = Math.floor(nowMs / 1000);
    this.#counted.set(id, { used, at });
    this.#stored.push(`${id}.${used.toString(36)}.${at.toString(36)}`);
    while (this.#stored.length > Math.min(STORED, this.#counted.size)) this.#stored.shift();
  }

  /** The text to store. */
  toText(): string {
    return this.#stored.join(' ');
  }
}

function isOld({ at }: Counted, nowMs: number): boolean {
  return (at + 1) * 1000 <= nowMs - KEPT_MS;
}
