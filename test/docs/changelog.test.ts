/** The changelog has the current version, and its versions are in order. */
import { describe, expect, it } from 'vitest';
import { read } from './documents.ts';

const HEADINGS = [...read('CHANGELOG.md').matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading);
const RELEASES = HEADINGS.slice(1).map((heading) => {
  const [, version = '', date = ''] = /^\[(\d+\.\d+\.\d+)\] - (\d{4}-\d{2}-\d{2})$/.exec(heading) ?? [];
  return { heading, version, date };
});

describe('CHANGELOG.md', () => {
  it('starts with unreleased changes', () => {
    expect(HEADINGS[0]).toBe('[Unreleased]');
  });

  it('has an entry for the version in package.json', () => {
    const { version }: { version: string } = JSON.parse(read('package.json'));
    expect(RELEASES[0]?.version).toBe(version);
  });

  it('has each release with version and date, newest first', () => {
    expect(RELEASES.filter(({ version }) => version === '')).toEqual([]);
    const newestFirst = [...RELEASES].sort((a, b) =>
      b.version.localeCompare(a.version, 'en', { numeric: true }),
    );
    expect(RELEASES).toEqual(newestFirst);
  });

  it('groups changes under the headings of Keep a Changelog', () => {
    const kinds = [...read('CHANGELOG.md').matchAll(/^### (.+)$/gm)].map(([, kind = '']) => kind);
    const known = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];
    expect(kinds.filter((kind) => !known.includes(kind))).toEqual([]);
  });
});
