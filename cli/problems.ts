/** Failures of an installation without a later success, as recorded by commands and services. */
import { readLastBuild } from '../build/output/last-build.ts';
import { readLastPublishes } from '../build/publish/last-publish.ts';
import { readUnfinished } from '../build/withdraw/unfinished.ts';
import { unfinishedSince } from '../data/accounts/key-files.ts';
import { shellQuoted } from '../common/shell.ts';
import { commandLine } from './command-line.ts';
import { readFaults } from './faults.ts';
import { importName, readImports } from './import-record.ts';
import { printable } from './printable.ts';

/** A failure without a later success. */
export interface Problem {
  readonly what: string;
  /** RFC 3339, UTC. */
  readonly since: string;
  readonly message: string;
}

/** All problems of an output. A failure recorded by both a command and its service counts once. */
export function readProblems(out: string): Problem[] {
  const { failure } = readLastBuild(out);
  const recorded = [
    ...(failure ? [{ what: 'the last build', ...sinceOf(failure) }] : []),
    ...Object.entries(readLastPublishes(out)).flatMap(([bucket, last]) =>
      last.failure ? [{ what: `publishing to ${bucket}`, ...sinceOf(last.failure) }] : [],
    ),
    ...readImports(out).flatMap((last) =>
      last.failure ? [{ what: `importing ${importName(last)}`, ...last.failure }] : [],
    ),
  ];
  const unfinished = readUnfinished(out).map(({ slug, since }) => ({
    ...{ what: `withdrawing "${printable(slug)}"`, since },
    message: `It has not reached every place. Run ${commandLine(`withdraw ${printable(shellQuoted(slug))}`)} again.`,
  }));
  const since = unfinishedSince(out);
  const keys = since !== undefined && {
    ...{ what: 'changing keys', since: new Date(since).toISOString() },
    message: `Files and database may differ. Repeat the command that failed, or run ${commandLine('build')}.`,
  };
  const known = new Set(recorded.map(({ message }) => message));
  const others = readFaults(out).filter(({ message }) => !known.has(message));
  return [
    ...recorded,
    ...unfinished,
    ...(keys ? [keys] : []),
    ...others.map(({ what, since, message }) => ({ what, since, message })),
  ];
}

function sinceOf({ at, since = at, message }: { at: string; since?: string; message: string }) {
  return { since, message };
}
