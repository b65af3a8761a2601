/**
 * What must never be published, or stored: each engine with each of its states, from the import to the API's answers, the
 * bytes of the output and of the database, before and after scheduled posts are due; and public posts that got a state later.
 */
import { describe, expect, it } from 'vitest';
import { EXPORTS } from '../access/exports.ts';
import { ANY_ENGINE } from '../access/folders.ts';

describe.each([ANY_ENGINE, ...EXPORTS])('$name', ({ faults, hiddenLater }) => {
  it('publishes what is public, and nothing else', async () => {
    expect(await faults()).toEqual([]);
  });

  it('publishes nothing that was hidden later', async () => {
    expect(await hiddenLater()).toEqual([]);
  });
});
