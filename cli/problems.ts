/** What fails in an installation at the moment, as commands and services recorded it. */
import { JOBS, type Result, readResults } from '../data/results.ts';
import { isRecord, isText } from '../contract/json.ts';
import { unfinishedSince } from '../data/accounts/key-files.ts';
import { commandLine } from './command-line.ts';
import { EXPORTS, isKnownExport } from './exports.ts';
import { type Fault, faultsAmong } from './faults.ts';
import { printable } from './printable.ts';

/** A failure without a later success. */
export interface Problem extends Fault {
  /** One of JOBS, or what else fails. */
  readonly job: string;
}

/** All problems of an output. A failure recorded by both a command and its service counts once. */
export function readProblems(out: string, results: readonly Result[] = readResults(out)): Problem[] {
  const recorded = results.flatMap((result): Problem[] => {
    const { job, subject, since, message } = result;
    const isShown = JOBS.some((one) => one === job) && (job !== EXPORTS.job || isKnownExport(result));
    if (since === null || message === null || !isShown) return [];
    return [{ job, what: printable(subject === '' ? job : `${job} ${subject}`), since, message }];
  });
  const known = new Set(recorded.map(({ message }) => message));
  const faults = faultsAmong(results).filter(
    ({ what, since, message }) => !known.has(message) && !hasSucceeded(results, what, since),
  );
  const since = unfinishedSince(out);
  const keys = since !== undefined && {
    job: 'changing keys',
    what: 'changing keys',
    since: new Date(since).toISOString(),
    message: `Files and database may differ. Repeat the command that failed, or run ${commandLine('build')}.`,
  };
  return [...recorded, ...(keys ? [keys] : []), ...faults.map((fault) => ({ job: fault.what, ...fault }))];
}

/** Whether a command has done all of a job since: the service that it failed in looks again only with its schedule. */
function hasSucceeded(results: readonly Result[], what: string, since: string): boolean {
  const own = results.filter(({ job }) => job === what);
  const isLater = ({ report }: Result): boolean =>
    isRecord(report) &&
    [report['at'], report['imported_at']].some((at) => isText(at) && Date.parse(at) > Date.parse(since));
  return own.every((result) => result.since === null) && own.some(isLater);
}
