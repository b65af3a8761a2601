import { type Look, someBegin } from '../sources/look.ts';
import { STORY } from './read.ts';

export async function recogniseMedium(look: Look): Promise<string | null> {
  if (look.kind !== 'folder' && look.kind !== 'zip') return null;
  const isStory = (text: string): boolean => /\bclass="e-content"/.test(text);
  return (await someBegin(look.files, STORY, isStory)) ? 'an export of Medium' : null;
}
