/**
 * The page about plain files lists what an export writes.
 */
import { describe, expect, it } from 'vitest';
import { PATHS } from '../../build/export/paths.ts';
import { API_VERSION } from '../../contract/api.ts';
import { inlineCode, section, tableRows } from './documents.ts';

const PAGE = 'docs/owners/exporting.md';

describe(PAGE, () => {
  it('lists every kind of file, and no other', () => {
    const rows = tableRows(section(PAGE, '## The files')).map(([path = '']) => inlineCode(path)[0] ?? '');
    const known = Object.values(PATHS).map((path) =>
      path.replace('{page}', '1').replace(/\{(\w+)\}/, (_, name: string) => name.toUpperCase()),
    );
    const documented = rows.filter((path) => path.startsWith(`${API_VERSION}/`));
    expect(documented.sort()).toEqual(known.map((path) => `${API_VERSION}/${path}`).sort());
  });
});
