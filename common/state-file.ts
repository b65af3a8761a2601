import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Check, parseJson } from '../contract/json.ts';
import { replacePrivateFile } from './output-files.ts';

/** A record in `out/state/`, as JSON: for later commands and other processes. */
export class StateFile<T> {
  readonly #name: string;
  readonly #isRight: Check<T>;
  readonly #without: T;

  /** @param without the value of an output without the file */
  constructor(name: string, isRight: Check<T>, without: T) {
    this.#name = name;
    this.#isRight = isRight;
    this.#without = without;
  }

  /** The value; without a valid file, that of an output that has none. */
  read(out: string): T {
    try {
      return parseJson(readFileSync(this.#pathIn(out), 'utf8'), this.#isRight, this.#name);
    } catch {
      return this.#without;
    }
  }

  /** Replaces the file, in a folder that exists. @throws OutputUnwritable */
  write(out: string, value: T): void {
    replacePrivateFile(this.#pathIn(out), `${JSON.stringify(value, null, 2)}\n`);
  }

  #pathIn(out: string): string {
    return join(out, 'state', this.#name);
  }
}
