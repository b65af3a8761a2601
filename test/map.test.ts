import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './docs/documents.ts';
import { reachedAreas, readMap } from './map.ts';

const map = readMap();

it('the map has a row for each folder with code, and names what exists', () => {
  for (const { paths, areas } of map) {
    for (const path of [...paths, ...(areas ?? []).map((area) => `test/${area}`)]) {
      expect(existsSync(join(ROOT, path)), path).toBe(true);
    }
  }
  const folders = readdirSync(ROOT, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !/^\.|^(?:node_modules|out|test|dist)$/.test(entry.name))
    .map(({ name }) => `${name}/`);
  expect(map.flatMap(({ paths }) => paths)).toEqual(expect.arrayContaining(folders));
});

it.each<[string[], string[] | null]>([
  [
    ['gateway/paging.ts'],
    ['changes', 'client', 'conformance', 'counts', 'docs', 'export', 'gateway', 'worker'],
  ],
  [
    ['gateway/worker/entry.ts', 'test/import/date.test.ts'],
    ['conformance', 'counts', 'import', 'worker'],
  ],
  [['docs/README.md', 'common/flush.ts'], null],
  [['something.new'], null],
  [[], []],
])('a change of %s reaches %s', (changed, areas) => {
  expect(reachedAreas(changed, map)).toEqual(areas);
});
