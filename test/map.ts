import { readFileSync } from 'node:fs';

/** A row of the table in test/README.md: paths, and the folders of `test/` that test them; null for all of `npm test`. */
export interface MapRow {
  readonly paths: readonly string[];
  readonly areas: readonly string[] | null;
}

/** The table of test/README.md: "I changed X → run Y". */
export function readMap(): readonly MapRow[] {
  const text = readFileSync(new URL('README.md', import.meta.url), 'utf8');
  const quoted = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);
  const [, table = ''] = /\n\| I changed .*\n.*\n((?:\|.*\n)+)/.exec(text) ?? [];
  return table
    .trim()
    .split('\n')
    .map((line) => line.split('|'))
    .map(([, paths, areas]) => ({
      paths: quoted(paths),
      areas: areas?.trim() === 'all' ? null : quoted(areas),
    }));
}

/**
 * The areas that a change of these paths reaches, sorted; null if it reaches all. A path belongs to the row with its longest prefix;
 * a test file to its own area. Documents that no row has reach nothing.
 */
export function reachedAreas(changed: readonly string[], map: readonly MapRow[]): readonly string[] | null {
  const reached = new Set<string>();
  for (const path of changed) {
    const [, area] = /^test\/([^/]+)\//.exec(path) ?? [];
    const row = map
      .flatMap(({ paths, areas }) => paths.map((prefix) => ({ prefix, areas })))
      .filter(({ prefix }) => path.startsWith(prefix))
      .sort((a, b) => b.prefix.length - a.prefix.length)[0];
    const areas = row === undefined ? (area === undefined ? null : [area]) : row.areas;
    if (areas === null) return null;
    for (const name of areas) reached.add(name);
  }
  return [...reached].sort();
}
