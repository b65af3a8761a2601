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

/** Larger publications are not known; a row has a few hundred characters. */
const MAX_ROWS = 100_000;
const MAX_ROW = 100_000;

export type PostRow = v.InferOutput<typeof row>;

/**
 * The rows of `posts.csv`, and the number of unreadable ones; null: it is not such a table.
 *
 * @throws Error if it has too many
 */
export function postRows(csv: string): { readonly rows: readonly PostRow[]; readonly faults: number } | null {
  for (let at = 0, end = 0; end !== -1; at = end + 1) {
    end = csv.indexOf('\n', at);
    if ((end === -1 ? csv.length : end) - at > MAX_ROW)
      throw new Error(`it has a line of more than ${MAX_ROW} characters`);
  }
  let faults = 0;
  const records: unknown = parse(csv, {
    ...{ bom: true, columns: true, trim: true, skip_empty_lines: true, relax_column_count: true },
    ...{
      to: MAX_ROWS + 1,
      relax_quotes: true,
      skip_records_with_error: true,
      on_skip: () => void (faults += 1),
    },
  });
  if (!Array.isArray(records)) return null;
  if (records.length > MAX_ROWS) throw new Error(`it has more than ${MAX_ROWS} rows`);
  const parsed = records.map((record) => v.safeParse(row, record));
  const rows = parsed.flatMap((result) =>
    result.success && result.output.post_id !== '' ? result.output : [],
  );
  if (rows.length === 0 && !/^\uFEFF?"?post_id\b/.test(csv)) return null;
  return { rows, faults: faults + parsed.length - rows.length };
}
