import { age } from '../terminal.ts';
import { readProblems } from '../problems.ts';
import { explained, type Finding, ok } from './finding.ts';
import type { Installation } from './installation.ts';

/** Failures that `status` reports: builds, imports, publishes, webhooks, counts. */
export function checkFailures({ out }: Installation): Finding[] {
  const problems = readProblems(out);
  if (problems.length === 0) return [ok('nothing failed since it last succeeded')];
  return problems.map(({ what, since, message }) => {
    const { finding, next } = explained(message);
    const begins = what.startsWith('the ')
      ? `The ${what.slice(4)}`
      : `${what.slice(0, 1).toUpperCase()}${what.slice(1)}`;
    return { level: 'error', finding: `${begins}, failing for ${age(since)}: ${finding}`, next };
  });
}
