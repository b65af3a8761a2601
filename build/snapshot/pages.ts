import type { Progress } from '../../common/progress.ts';
import { type PageStart, pageStart } from '../../contract/pages.ts';
import { PAGE_SIZE } from '../../contract/snapshot.ts';
import type { ObjectHash } from '../../contract/object-name.ts';
import type { Post, Taxonomy } from './blog.ts';
import { type BuildMemory, hashInputs } from './memory.ts';
import { inParallel, splitBatches } from './parallel.ts';
import type { Renderer } from './renderer.ts';

/** Pages in one task, and tasks in parallel. */
const PAGES_A_TASK = 40;
export const CONCURRENCY = 4;

/** All that the bodies and the summaries of posts depend on, besides the engine. */
export function postInputs(posts: readonly Post[], { missingTags }: Taxonomy): [Uint8Array, string] {
  const numbers = new Float64Array(2 * posts.length);
  let missing = '';
  for (let i = 0; i < posts.length; i++) {
    const { id, revision } = posts[i]!;
    numbers[2 * i] = id;
    numbers[2 * i + 1] = revision;
    if (missingTags.size > 0 && missingTags.has(id)) missing += `${id}:${missingTags.get(id)};`;
  }
  return [new Uint8Array(numbers.buffer), missing];
}

/** Pages of summaries. Those whose posts are unchanged are known. */
export async function makePages(
  posts: readonly Post[],
  taxonomy: Taxonomy,
  memory: BuildMemory,
  rendererFor: (posts: number) => Promise<Renderer>,
  progress: Progress,
): Promise<readonly ObjectHash[]> {
  const pages = Array.from(splitBatches(posts, PAGE_SIZE), (on) => {
    const inputs = hashInputs('page', ...postInputs(on, taxonomy));
    return { inputs, on, hash: memory.made(inputs) };
  });
  const stale = pages.filter(({ hash }) => hash === undefined);
  const renderer = await rendererFor(stale.length * PAGE_SIZE);
  progress.begin('pages', stale.length);
  await inParallel(splitBatches(stale, PAGES_A_TASK), CONCURRENCY, async (task) => {
    // Page by page: only the last one of the blog can be short, and it is the last of its task.
    const ids = task.flatMap(({ on }) => on.map(({ id }) => id));
    const hashes = await renderer.pages(memory.pagePosts(ids));
    for (const [i, page] of task.entries()) {
      page.hash = hashes[i];
      if (page.hash !== undefined) memory.keep(page.inputs, page.hash);
    }
    progress.advance(task.length);
  });
  progress.end();
  return pages.map(({ hash, on }) => {
    if (hash === undefined) throw new Error(`The page that begins with "${on[0]?.slug}" was not made.`);
    return hash;
  });
}

/** Where each page begins. */
export function pageStarts(posts: readonly Post[]): PageStart[] {
  const starts: PageStart[] = [];
  for (let at = 0; at < posts.length; at += PAGE_SIZE) {
    starts.push(pageStart(posts[at]!, posts[at - 1]));
  }
  return starts;
}
