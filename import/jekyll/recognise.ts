import { generatorsAt } from '../engine/generators.ts';
import type { Look } from '../sources/look.ts';

export async function recogniseJekyll(look: Look): Promise<string | null> {
  return look.kind === 'folder' && (await generatorsAt(look.path)).includes('Jekyll')
    ? 'a site of Jekyll'
    : null;
}
