/** Runs in a thread of the render pool: a batch of posts → the texts of their objects. */
import type { PostText } from './blog.ts';
import { renderDetail } from './render.ts';
import type { Site } from './site.ts';

export interface RenderBatch {
  readonly site: Site;
  readonly posts: readonly (PostText & { readonly body: string })[];
}

export default function renderBatch({ site, posts }: RenderBatch): string[] {
  return posts.map((post) => renderDetail(site, post));
}
