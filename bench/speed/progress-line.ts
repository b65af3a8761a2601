/**
 * A line on standard error: what is being measured, and the time left.
 */
export class ProgressLine {
  readonly #title: string;
  readonly #steps: number;
  readonly #isTerminal = process.stderr.isTTY;
  readonly #started = performance.now();
  #step = 0;
  #lastTold = 0;

  constructor(title: string, steps: number) {
    this.#title = title;
    this.#steps = steps;
  }

  /** Starts another step. Without a terminal, one step in twenty is printed. */
  step(what: string): void {
    const left = this.#step === 0 ? '' : `, ${this.#minutesLeft()} left`;
    const text = `${this.#title}: ${Math.min(this.#step, this.#steps)} of ${this.#steps}${left}: ${what}`;
    if (this.#isTerminal) process.stderr.write(`\r\x1b[K${text}`);
    else if (this.#step >= this.#lastTold) {
      process.stderr.write(`${text}\n`);
      this.#lastTold = this.#step + this.#steps / 20;
    }
    this.#step += 1;
  }

  /** Prints a separate line. */
  say(text: string): void {
    process.stderr.write(`${this.#isTerminal ? '\r\x1b[K' : ''}${text}\n`);
  }

  end(): void {
    if (this.#isTerminal) process.stderr.write('\r\x1b[K');
  }

  #minutesLeft(): string {
    const perStep = (performance.now() - this.#started) / this.#step;
    const minutes = (perStep * Math.max(0, this.#steps - this.#step)) / 60_000;
    return minutes < 1 ? `${Math.ceil(minutes * 60)} s` : `${Math.ceil(minutes)} min`;
  }
}
