import type { Look } from '../sources/look.ts';

export function recogniseSql(look: Look): string | null {
  return look.kind === 'file' && look.beginning.startsWith('SQLite format 3\0') ? 'a SQLite database' : null;
}
