/** What of SQL may hold a semicolon without ending a statement; comments, and quotes of all four kinds. */
const PART = /--[^\n]*|\/\*[^]*?(?:\*\/|$)|'[^']*'|"[^"]*"|`[^`]*`|\[[^\]]*\]|[^;]/g;

/** The statements of a file of SQL, without comments; what is blank is left out. */
export function statementsOf(sql: string): string[] {
  const statements: string[] = [];
  let current = '';
  let end = 0;
  for (const { 0: part, index } of sql.matchAll(PART)) {
    if (index > end) {
      statements.push(current); // A semicolon was passed.
      current = '';
    }
    current += /^(?:--|\/\*)/.test(part) ? ' ' : part;
    end = index + part.length;
  }
  return [...statements, current]
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

/** The name of the view that a statement creates for this connection alone; null for any other statement. */
export function temporaryView(statement: string): string | null {
  const created =
    /^CREATE\s+TEMP(?:ORARY)?\s+VIEW\s+(?:IF\s+NOT\s+EXISTS\s+)?(?:temp\s*\.\s*)?["`[]?([\w$]+)/i.exec(
      statement,
    );
  return created?.[1] ?? null;
}
