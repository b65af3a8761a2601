/**
 * What must never be published, or stored: each engine with each of its states, from the import to the API's answers, the
 * bytes of the output and of the database, before and after scheduled posts are due; and public posts that got a state later.
 */
import { describe, expect, it } from 'vitest';
import { EXPORTS } from './access/exports.ts';
import { FOLDERS } from './access/folders.ts';
import { type Case, caseOf } from './access/matrix.ts';

const { wxr, ghost, sql, runningGhost, runningWordPress, atom, blogger, takeout, items } = EXPORTS;

// JSON Feed and RSS say nothing of what is not public.
const CASES: readonly Case[] = [
  ...FOLDERS.map(caseOf),
  ...[caseOf(wxr), caseOf(ghost), caseOf(sql), caseOf(runningGhost), caseOf(runningWordPress)],
  ...[caseOf(atom), caseOf(blogger), caseOf(takeout), caseOf(items)],
];

describe.each(CASES)('$name', ({ faults, hiddenLater }) => {
  it('publishes what is public, and nothing else', async () => {
    expect(await faults()).toEqual([]);
  });

  it('publishes nothing that was hidden later', async () => {
    expect(await hiddenLater()).toEqual([]);
  });
});
