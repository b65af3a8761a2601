import { ensureStateFolder } from '../../common/output-files.ts';
import { StateFile } from '../../common/state-file.ts';
import { type Check, isText, listOf, recordOf } from '../../contract/json.ts';

/** A withdrawal that began and has not ended: it may have been killed, or not have reached a place. */
export interface UnfinishedWithdrawal {
  readonly slug: string;
  /** RFC 3339, UTC. */
  readonly since: string;
}

const isUnfinished: Check<readonly UnfinishedWithdrawal[]> = listOf(
  recordOf<UnfinishedWithdrawal>({ slug: isText, since: isText }),
);
const FILE = new StateFile('withdrawing.json', isUnfinished, []);

/** The unfinished withdrawals of an output: `out/state/withdrawing.json`; empty if it is missing or broken. */
export function readUnfinished(out: string): readonly UnfinishedWithdrawal[] {
  return FILE.read(out);
}

/** Records that a withdrawal begins. @throws OutputUnwritable */
export function noteUnfinished(out: string, slug: string, now: Date): void {
  const known = readUnfinished(out);
  if (!known.some((other) => other.slug === slug)) write(out, [...known, { slug, since: now.toISOString() }]);
}

/** Records that a withdrawal has reached every place, or is undone. @throws OutputUnwritable */
export function noteFinished(out: string, slug: string): void {
  const known = readUnfinished(out);
  const others = known.filter((other) => other.slug !== slug);
  if (others.length < known.length) write(out, others);
}

function write(out: string, withdrawals: readonly UnfinishedWithdrawal[]): void {
  ensureStateFolder(out);
  FILE.write(out, withdrawals);
}
