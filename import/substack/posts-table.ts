import { parse } from 'csv-parse/sync';
import * as v from 'valibot';

/** A row of `posts.csv`. */
const row = v.object({
  post_id: v.string(),
  post_date: v.optional(v.string(), ''),
  is_published: v.optional(v.string(), ''),
  /** `newsletter`, `podcast`, `thread`, `page` and others. */
  type: v.optional(v.string(), ''),
  /** `everyone`, `only_paid`, `only_free`, `founding`. */
  audience: v.optional(v.string(), ''),
  title: v.optional(v.string(), ''),
  subtitle: v.optional(v.string(), ''),
  podcast_url: v.optional(v.string(), ''),
});

export type PostRow = v.InferOutput<typeof row>;

/** The rows of `posts.csv`, and the number of unreadable ones; null: it is not such a table. */
export function postRows(csv: string): { readonly rows: readonly PostRow[]; readonly faults: number } | null {
  let faults = 0;
  const records: unknown = parse(csv, {
    ...{ bom: true, columns: true, trim: true, skip_empty_lines: true, relax_column_count: true },
    ...{ relax_quotes: true, skip_records_with_error: true, on_skip: () => void (faults += 1) },
  });
  if (!Array.isArray(records)) return null;
  const parsed = records.map((record) => v.safeParse(row, record));
  const rows = parsed.flatMap((result) =>
    result.success && result.output.post_id !== '' ? result.output : [],
  );
  if (rows.length === 0 && !/^\uFEFF?"?post_id\b/.test(csv)) return null;
  return { rows, faults: faults + parsed.length - rows.length };
}
