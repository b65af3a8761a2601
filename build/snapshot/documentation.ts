/**
 * The documentation page, the description of the interface, and the assets of the page: the files of a snapshot that
 * are served as they are.
 *
 *   description/example-blog.ts   a small blog, of which the examples are
 *   description/openapi.ts        the description at `/openapi.json`
 *   page/page.ts                  the page at `/`
 *   page/assets.ts                what the page loads, under `/docs/`
 *   data/sample-files/            the pictures of the sample blog
 *
 * The example blog and the program are all that these files depend on. While both are as in the last build, so are the
 * files, and nothing is rendered.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { programFile } from '../../common/program-files.ts';
import { type Directory, isSiteFile, type SiteFile } from '../../contract/directory.ts';
import { listOf, parseJson } from '../../contract/json.ts';
import { Lines } from '../../contract/lines.ts';
import { SAMPLE } from '../../data/sample-origin.ts';
import type { Post, Taxonomy } from './blog.ts';
import { type ExampleBlog, type ExamplePost, makeExampleBlog } from '../description/example-blog.ts';
import { type BuildMemory, hashInputs } from './memory.ts';
import type { ObjectWriter } from './object-writer.ts';
import type { Site } from './site.ts';
import type { Sets } from './sets.ts';
import type { Source } from './source.ts';

interface DocumentationParts {
  readonly site: Site;
  readonly taxonomy: Taxonomy;
  readonly source: Source;
  /** By position. */
  readonly posts: readonly Post[];
  readonly sets: Sets;
  readonly memory: BuildMemory;
  readonly store: ObjectWriter;
  /** Of the program (engine.ts). */
  readonly fingerprint: string;
}

const isSiteFiles = listOf(isSiteFile);

/** The files of a snapshot, from the rest of its directory. */
export async function buildDocumentation(
  { site, taxonomy, source, posts, sets, memory, store, fingerprint }: DocumentationParts,
  directory: Pick<Directory, 'policy' | 'site' | 'pages'>,
): Promise<readonly SiteFile[]> {
  const [first] = directory.pages;
  const page = first === undefined ? [] : [...new Lines(store.read('lines', first))];
  const bodies = memory.pagePosts(posts.slice(0, page.length).map(({ id }) => id));
  const tags = [...sets.tag];
  const oldest = page.flatMap((summary, position): ExamplePost[] => {
    const [post, { body = '' } = {}] = [posts[position], bodies[position]];
    // Positions are ascending: the first 50 are enough.
    const isIn = (positions: Uint32Array) => positions.subarray(0, page.length).includes(position);
    const tagIds = tags.filter(([, { positions }]) => isIn(positions)).map(([id]) => id);
    return post ? [{ post, body, summary, tagIds }] : [];
  });
  const blog = makeExampleBlog(site, taxonomy, oldest, directory);

  const isSample = source.readIdentity().url === SAMPLE.url;
  const inputs = hashInputs('documentation', `${fingerprint} ${blog.id} ${isSample}`);
  const known = memory.made(inputs);
  if (known !== undefined) return parseJson(known, isSiteFiles, 'a list of files');
  const files = [...(await render(blog, store)), ...(isSample ? samplePictures(store) : [])];
  memory.keep(inputs, JSON.stringify(files));
  return files;
}

/** The sample blog has no site of its own. */
function samplePictures(store: ObjectWriter): SiteFile[] {
  const folder = programFile('data/sample-files');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.svg'))
    .sort()
    .map((name) => ({
      path: `/${name}`,
      type: 'image/svg+xml',
      hash: store.put('body', readFileSync(join(folder, name))),
    }));
}

/** The modules are loaded where there is something to render: they take longer than most builds. */
async function render(blog: ExampleBlog, store: ObjectWriter): Promise<SiteFile[]> {
  const [{ describeInterface, collectExamples }, { readAssets }, { renderPage }] = await Promise.all([
    import('../description/openapi.ts'),
    import('../page/assets.ts'),
    import('../page/page.ts'),
  ]);
  const { site, policy } = blog.directory;
  const assets = readAssets();
  for (const { body, hash } of assets) store.put('body', body, hash);
  const addresses = new Map(assets.map(({ name, path }) => [name, path]));
  const examples = await collectExamples(blog, (hash) => store.read('body', hash));
  const page = renderPage({
    site: site.name,
    apiUrl: site.api_url,
    limits: policy.limits,
    addresses,
    answer: examples.successes.get('posts'),
  });
  const description = describeInterface(blog, examples);
  return [
    { path: '/', type: 'text/html; charset=utf-8', hash: store.put('body', page) },
    {
      path: '/openapi.json',
      type: 'application/json; charset=utf-8',
      hash: store.put('body', JSON.stringify(description)),
    },
    ...assets.map(({ path, type, hash }) => ({ path, type, hash })),
  ];
}
