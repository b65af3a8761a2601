/** How long a retried request is not counted again. */
const KEPT_MS = 600_000;

/**
 * Requests kept: those of ten minutes, up to 32 a minute. The interface's limit is 30. They are written with each row, so keeping
 * more costs more than it saves.
 */
const KEPT = 320;

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

  /** @param text from `toText` */
  constructor(text = '') {
    for (const entry of text.split(' ').filter(Boolean)) {
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
    this.#counted.set(id, { used, at: Math.floor(nowMs / 1000) });
  }

  /** The text to store: `id.used.at`, in base 36. */
  toText(): string {
    return Array.from(
      this.#counted,
      ([id, { used, at }]) => `${id}.${used.toString(36)}.${at.toString(36)}`,
    ).join(' ');
  }
}

function isOld({ at }: Counted, nowMs: number): boolean {
  return (at + 1) * 1000 <= nowMs - KEPT_MS;
}
