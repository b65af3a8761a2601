import { appendFileSync, closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { ensureStateFolder, guardingOutput, replacePrivateFile } from '../../common/output-files.ts';
import type { Condition } from './bucket.ts';
import type { Target } from '../../common/bucket/target.ts';

/**
 * The confirmed uploads to a bucket, in `out/state/upload-….log`: a first line with the target and the pointer's ETag,
 * then one path a line. An interrupted upload continues from it.
 *
 * It is valid only while the pointer is the one that the upload started with. A prune changes the pointer before it
 * removes anything (bucket-prune.ts), so the objects of a valid journal still exist.
 */
export class UploadJournal {
  readonly #path: string;
  #file: number | undefined;

  private constructor(path: string) {
    this.#path = path;
  }

  /**
   * @returns the journal, and its paths if they are valid for this pointer
   * @throws OutputUnwritable
   */
  static open(
    out: string,
    target: Target,
    condition: Condition,
  ): { readonly journal: UploadJournal; readonly uploaded: ReadonlySet<string> } {
    const { endpoint, bucket, prefix } = target;
    const where = JSON.stringify([endpoint, bucket, prefix]);
    const id = createHash('sha256').update(where).digest('hex').slice(0, 16);
    const path = join(out, 'state', `upload-${id}.log`);
    const head = JSON.stringify({ endpoint, bucket, prefix, pointer: condition });
    const journal = new UploadJournal(path);
    const lines = linesUnder(head, contentOf(path));
    guardingOutput(path, () => ensureStateFolder(out));
    replacePrivateFile(path, [head, ...lines, ''].join('\n'));
    return { journal, uploaded: new Set(lines) };
  }

  /** @throws OutputUnwritable */
  note(path: string): void {
    guardingOutput(this.#path, () => {
      this.#file ??= openSync(this.#path, 'a');
      appendFileSync(this.#file, `${path}\n`);
    });
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  /** Deletes the journal, once the pointer names all its objects. */
  remove(): void {
    this.close();
    rmSync(this.#path, { force: true });
  }
}

/**
 * The paths in a journal; empty if it is for another pointer. A last line without a line feed is incomplete, because
 * the process died, and is ignored.
 */
function linesUnder(head: string, text: string): string[] {
  const [first, ...lines] = text.split('\n').slice(0, -1);
  return first === head ? lines : [];
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
