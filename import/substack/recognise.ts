import { type Look, someBegin } from '../sources/look.ts';
import { TABLE } from './read.ts';

export async function recogniseSubstack(look: Look): Promise<string | null> {
  if (look.kind !== 'folder' && look.kind !== 'zip') return null;
  const isTable = (text: string): boolean => /^"?post_id\b/.test(text);
  return (await someBegin(look.files, TABLE, isTable)) ? 'an export of Substack' : null;
}
