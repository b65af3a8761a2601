import { generatorsAt } from '../engine/generators.ts';
import type { Look } from '../sources/look.ts';

export async function recogniseHugo(look: Look): Promise<string | null> {
  return look.kind === 'folder' && (await generatorsAt(look.path)).includes('Hugo') ? 'a site of Hugo' : null;
}
