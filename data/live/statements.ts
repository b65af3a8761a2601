/** SQL tokens that may contain a semicolon: comments, and quotes of all four kinds. */
const PART = /--[^\n]*|\/\*[^]*?(?:\*\/|$)|'[^']*'|"[^"]*"|`[^`]*`|\[[^\]]*\]|[^;]/g;

/** The statements of an SQL file, without comments and blanks. */
export function statementsOf(sql: string): string[] {
  const statements: string[] = [];
  let current = '';
  let end = 0;
  for (const { 0: part, index } of sql.matchAll(PART)) {
    if (index > end) {
      statements.push(current); // A semicolon was reached.
      current = '';
    }
    current += /^(?:--|\/\*)/.test(part) ? ' ' : part;
    end = index + part.length;
  }
  return [...statements, current]
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

/** The name of the temporary view that a statement creates; null for any other statement. */
export function temporaryView(statement: string): string | null {
  const created =
    /^CREATE\s+TEMP(?:ORARY)?\s+VIEW\s+(?:IF\s+NOT\s+EXISTS\s+)?(?:temp\s*\.\s*)?["`[]?([\w$]+)/i.exec(
      statement,
    );
  return created?.[1] ?? null;
}
