import type { Removed } from '../build/html/removals.ts';
import { counted } from './terminal.ts';

/** `13 frames of 4 hosts in 9 posts (maps.example, …): allow them with "html.embeds"`, `2 custom elements in 1 post (my-map)` */
export function describeRemoved({ kind, count, posts, hosts }: Removed): string {
  const where = `in ${counted(posts, 'post')}`;
  if (hosts.length === 0) return `${counted(count, kind)} ${where}`;
  const named = hosts.slice(0, 3).join(', ') + (hosts.length > 3 ? ', …' : '');
  if (kind !== 'frame') return `${counted(count, kind)} ${where} (${named})`;
  return `${counted(count, kind)} of ${counted(hosts.length, 'host')} ${where} (${named}): allow ${count === 1 ? 'it' : 'them'} with "html.embeds"`;
}
