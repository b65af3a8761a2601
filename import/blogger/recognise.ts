import { type Look, someBegin } from '../sources/look.ts';
import { PARTS } from './read.ts';

/** The kinds of entries: a feed of the same blog does not have them. */
const EXPORT = /<blogger:type>|\/blogger\/2008\/kind#/;

export async function recogniseBlogger(look: Look): Promise<string | null> {
  const isExport = (text: string): boolean => /<feed[\s>]/.test(text) && EXPORT.test(text);
  if (look.kind === 'address') return null;
  const isFound =
    look.kind === 'file' ? isExport(look.beginning) : await someBegin(look.files, PARTS, isExport);
  return isFound ? 'an export of Blogger' : null;
}
