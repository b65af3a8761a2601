import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import Database from 'better-sqlite3';
import { z } from 'zod';
import { openOracle } from '../../oracle/oracle.ts';
import { answerOf } from '../../service/in-process.ts';
import type { Place } from './place.ts';

const row = z.strictObject({
  table: z.string(),
  row: z.union([z.string(), z.int()]),
  reason: z.string().min(1),
});

/** The answer of `build --json`. */
export const report = z.strictObject({
  snapshot: z.string().min(1),
  posts: z.int().min(0),
  objects: z.strictObject({ total: z.int(), written: z.int(), bytes_written: z.int() }),
  skipped: z.array(row),
  cut: z.array(row),
  removed: z.array(
    z.strictObject({ kind: z.string(), count: z.int(), posts: z.int(), hosts: z.array(z.string()) }),
  ),
  notes: z.array(z.string()),
  seconds: z.number().min(0),
});

/** Named databases and outputs in one folder, and the functions that tests of `build` use. */
export function builderIn(place: Place) {
  return {
    /** Runs `build` and returns its report. */
    async build(db: string, out: string, ...more: string[]) {
      const files = ['--db', place.path(db), '--out', place.path(out)];
      return report.parse(await answerOf(['build', ...files, ...more]));
    },

    /** Changes a database like its owner. */
    change(db: string, work: (db: Database.Database) => void): void {
      const open = new Database(place.path(db));
      try {
        work(open);
      } finally {
        open.close();
      }
    },

    /** The number of published posts. */
    shownIn(db: string): number {
      const oracle = openOracle(place.path(db));
      try {
        return oracle.posts().meta.total;
      } finally {
        oracle.close();
      }
    },

    pointerOf: (out: string): string => readFileSync(join(place.path(out), 'snapshot.json'), 'utf8'),

    /** Every published file except the pointer, with its bytes. */
    filesOf(out: string): Map<string, string> {
      const root = place.path(out);
      const entries = readdirSync(root, { recursive: true, withFileTypes: true });
      const paths = entries
        .filter((entry) => entry.isFile())
        .map((entry) => relative(root, join(entry.parentPath, entry.name)));
      const published = paths.filter((path) => !/^(?:state\/|keys\/|snapshot\.json$)/.test(path));
      return new Map(published.map((path) => [path, readFileSync(join(root, path), 'latin1')]));
    },
  };
}
