import { codeBlocks, section } from './documents.ts';

export const TEMPLATES = 'docs/owners/feed-templates.md';

/**
 * The template for a generator, from the document.
 *
 * @param generator its heading
 * @throws Error if there is none
 */
export function templateOf(generator: string): string {
  const [block] = codeBlocks(section(TEMPLATES, `## ${generator}`));
  if (block === undefined) throw new Error(`${TEMPLATES} has no template for ${generator}`);
  return block.code;
}
