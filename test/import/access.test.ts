/**
 * What must never be published: each engine with each of its states, from the import to the API's answers and the
 * bytes of the output, before and after scheduled posts are due.
 */
import { describe, expect, it } from 'vitest';
import { EXPORTS } from './access/exports.ts';
import { FOLDERS } from './access/folders.ts';
import { type Case, caseOf } from './access/matrix.ts';

const { wxr, ghost, sql, runningGhost, runningWordPress } = EXPORTS;
const { jsonFeed, atom, rss, blogger, takeout } = EXPORTS;

const CASES: readonly Case[] = [
  ...FOLDERS.map(caseOf),
  ...[caseOf(wxr), caseOf(ghost), caseOf(sql), caseOf(runningGhost), caseOf(runningWordPress)],
  ...[caseOf(jsonFeed), caseOf(atom), caseOf(rss)],
  ...[caseOf(blogger), caseOf(takeout)],
];

describe.each(CASES)('$name', ({ faults }) => {
  it('publishes what is public, and nothing else', async () => {
    expect(await faults()).toEqual([]);
  });
});
