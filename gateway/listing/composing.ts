/** Composes lists of records, which are valid only until others are read if they come without a promise (SnapshotStore). */
import { compose, type Composer } from '../../contract/composing.ts';
import type { LineRecord } from '../../contract/lines.ts';
import { all, andThen, type MaybePromise } from '../maybe-promise.ts';

/** Reads records of some lines. */
export type ReadRecords = () => MaybePromise<readonly LineRecord[]>;

/**
 * Records, with commas between. What can be read at once is composed at once; from the first that takes longer, all are read in
 * parallel.
 *
 * @param value something that writing needs
 * @param write appends the record with an index
 */
export function composeRecords<T>(
  value: MaybePromise<T>,
  reads: readonly ReadRecords[],
  write: (to: Composer, record: LineRecord, index: number, value: T) => void,
): MaybePromise<Uint8Array> {
  let count = 0;
  const append = (to: Composer, records: readonly LineRecord[], known: T): void => {
    for (const record of records) {
      if (count > 0) to.addText(',');
      write(to, record, count, known);
      count += 1;
    }
  };
  const later: Promise<readonly LineRecord[]>[] = [];
  const beginning = compose((to) => {
    for (const read of reads) {
      if (value instanceof Promise || later.length > 0) later.push(readOwn(read));
      else {
        const records = read();
        if (records instanceof Promise) later.push(records);
        else append(to, records, value);
      }
    }
  });
  if (!(value instanceof Promise) && later.length === 0) return beginning;
  return andThen(all([value, all(later)]), ([known, records]) =>
    compose((to) => {
      to.addBytes(beginning, 0, beginning.length);
      append(to, records.flat(), known);
    }),
  );
}

/** Reads records that stay valid: what is there at once is copied before anything else is read. */
export async function readOwn(read: ReadRecords): Promise<readonly LineRecord[]> {
  const records = read();
  return records instanceof Promise ? records : records.map(copyRecord);
}

function copyRecord({ bytes, start, end, places }: LineRecord): LineRecord {
  // Not `slice`, which does not copy a Buffer.
  return { bytes: new Uint8Array(bytes.subarray(start, end)), start: 0, end: end - start, places };
}
