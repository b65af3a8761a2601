/**
 * An endpoint without its path and permission, handler, description or example does not compile.
 */
import { afterAll, beforeEach, expect, test } from 'vitest';
import { scratchCopy } from './scratch-copy.ts';

const ROWS = {
  'contract/api.ts': ['export const ENDPOINTS = {\n', "  archive: { path: '/archive', scope: 'blog:read' },"],
  'gateway/endpoints/endpoints.ts': [
    'Readonly<Record<EndpointName, Endpoint>> = {\n',
    "  archive: ready('overview'),",
  ],
  'build/description/operations.ts': [
    'Readonly<Record<EndpointName, Operation>> = {\n',
    `  archive: {
    operationId: 'getArchive', tag: 'Articles', summary: 'Read the archive', description: 'All of it.', gives: 'All.',
    data: { type: 'object' }, errors: [403],
  },`,
  ],
  'build/description/examples.ts': [
    '(known: KnownValues) => ExampleRequest>> = {\n',
    '  archive: () => ({ target: `${PREFIX}/archive` }),',
  ],
} as const;

const copy = scratchCopy(afterAll);
beforeEach(() => copy.restore());

function insertAllBut(left: string): void {
  for (const [file, [after, row]] of Object.entries(ROWS)) if (file !== left) copy.insert(file, after, row);
}

test('compiles with all its rows', () => {
  insertAllBut('nothing');
  expect(copy.compiled()).toBe('');
});

test.each(Object.keys(ROWS))('does not compile without the row for %s', (file) => {
  insertAllBut(file);
  expect(copy.compiled(Object.keys(ROWS))).toMatch(/archive/);
});
