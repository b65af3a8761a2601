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
import { objectHash } from '../../common/object-hash.ts';
import { programFile } from '../../common/program-files.ts';
import type { Directory, SiteFile } from '../../contract/directory.ts';
import { SAMPLE } from '../../data/sample-origin.ts';
import { decodePage, PAGE_SIZE } from '../../contract/pages.ts';
import type { Taxonomy } from './blog.ts';
import { type ExampleBlog, makeExampleBlog } from '../description/example-blog.ts';
import type { BuildMemory } from './memory.ts';
import type { ObjectWriter } from './object-writer.ts';
import type { Site } from './site.ts';
import type { Source } from './source.ts';

export interface DocumentationParts {
  readonly site: Site;
  readonly taxonomy: Taxonomy;
  readonly source: Source;
  readonly memory: BuildMemory;
  readonly writer: ObjectWriter;
  /** Of the program (engine.ts). */
  readonly fingerprint: string;
}

/** The files of a snapshot, from the rest of its directory. */
export async function buildDocumentation(
  { site, taxonomy, source, memory, writer, fingerprint }: DocumentationParts,
  directory: Pick<Directory, 'policy' | 'site' | 'pages'>,
): Promise<readonly SiteFile[]> {
  const [first] = directory.pages;
  const summaries = first === undefined ? [] : decodePage(writer.read('page', first));
  const posts = memory.oldestPosts(PAGE_SIZE);
  const views = source.readViewsOf(posts.map(({ id }) => id));
  const oldest = summaries.flatMap((summary, i) =>
    posts[i] ? { post: posts[i], summary, views: views[i] ?? 0 } : [],
  );
  const blog = makeExampleBlog(site, taxonomy, oldest, directory);

  const isSample = source.readIdentity().url === SAMPLE.url;
  const inputs = objectHash(`${fingerprint} ${blog.id} ${isSample}`);
  const known = memory.files(inputs);
  if (known) return known;
  const files = [...(await render(blog, writer)), ...(isSample ? samplePictures(writer) : [])];
  memory.putFiles(inputs, files);
  return files;
}

/** The sample blog has no site of its own. */
function samplePictures(writer: ObjectWriter): SiteFile[] {
  const folder = programFile('data/sample-files');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.svg'))
    .sort()
    .map((name) => ({
      path: `/${name}`,
      type: 'image/svg+xml',
      hash: writer.put('file', readFileSync(join(folder, name))),
    }));
}

/** The modules are loaded where there is something to render: they take longer than most builds. */
async function render(blog: ExampleBlog, writer: ObjectWriter): Promise<SiteFile[]> {
  const [{ describeInterface, examplesOf }, { readAssets }, { renderPage }] = await Promise.all([
    import('../description/openapi.ts'),
    import('../page/assets.ts'),
    import('../page/page.ts'),
  ]);
  const { site, policy } = blog.directory;
  const assets = readAssets();
  for (const { body, hash } of assets) writer.put('file', body, hash);
  const addresses = new Map(assets.map(({ name, path }) => [name, path]));
  const examples = await examplesOf(blog, (hash) => writer.read('post', hash));
  const page = renderPage({
    ...{ site: site.name, apiUrl: site.api_url, limits: policy.limits, addresses },
    answer: examples.successes.get('posts'),
  });
  const description = describeInterface(blog, examples);
  return [
    { path: '/', type: 'text/html; charset=utf-8', hash: writer.put('file', page) },
    {
      path: '/openapi.json',
      type: 'application/json; charset=utf-8',
      hash: writer.put('file', JSON.stringify(description)),
    },
    ...assets.map(({ path, type, hash }) => ({ path, type, hash })),
  ];
}
