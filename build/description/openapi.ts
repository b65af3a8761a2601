/**
 * The description of the interface in OpenAPI 3.1, as `/openapi.json` gives it.
 *
 *   operations.ts  what each endpoint is for, and which statuses it answers
 *   parameters.ts  the gateway's own rules for parameters, as schemas (contract/parameters.ts)
 *   responses.ts   each status with its headers and body
 *   headers.ts     each header
 *   schemas.ts     each body
 *   examples.ts    requests put to the gateway itself, whose replies are the examples
 *   example-blog.ts the small blog on which it answers them
 *
 * It speaks of one service: its limits, its site's name, and examples from its own blog.
 */
import { API_NAME, API_VERSION, ENDPOINTS, type EndpointName, PREFIX } from '../../contract/api.ts';
import type { ObjectHash } from '../../contract/object-name.ts';
import { Objects } from '../../gateway/snapshot/objects.ts';
import { Snapshot } from '../../gateway/snapshot/snapshot.ts';
import type { ExampleBlog } from './example-blog.ts';
import { askExamples, type Examples } from './examples.ts';
import { HEADERS, headerComponents } from './headers.ts';
import { introduction } from './introduction.ts';
import { describeOperation, OPERATIONS, TAGS } from './operations.ts';
import { responseComponents } from './responses.ts';
import { SCHEMAS } from './schemas.ts';

/** For the objects and answers of an example blog. */
const CACHE_BYTES = 2 ** 24;

/**
 * What the service of an example blog answers.
 *
 * @param readArticle gives the body of an article
 */
export function collectExamples(
  { id, directory, objects, known }: ExampleBlog,
  readArticle: (hash: ObjectHash) => Uint8Array<ArrayBuffer>,
): Promise<Examples> {
  const store = new Objects(
    {
      readObject: (kind, hash) =>
        Promise.resolve(objects.has(kind, hash) ? objects.read(kind, hash) : readArticle(hash)),
      hashObject: (bytes) => objects.hashObject(bytes),
    },
    CACHE_BYTES,
  );
  return askExamples(new Snapshot(id, directory, store, CACHE_BYTES), known);
}

/** The whole description, for the service of an example blog. Small: some 60 kB as JSON. */
export function describeInterface({ directory }: ExampleBlog, examples: Examples): Record<string, unknown> {
  const { policy, site } = directory;
  const paths = (Object.keys(OPERATIONS) as EndpointName[]).map((name) => [
    ENDPOINTS[name].path || '/',
    { get: describeOperation(name, examples) },
  ]);
  return {
    openapi: '3.1.0',
    info: {
      title: `${site.name}: ${API_NAME}`,
      version: API_VERSION,
      summary: 'Published articles, categories, tags and authors, read-only, as JSON.',
      description: introduction(policy.limits),
      license: { name: 'MIT for the interface; articles belong to their authors', identifier: 'MIT' },
    },
    servers: [{ url: (site.api_url ?? '') + PREFIX, description: site.name }],
    security: [{ bearer: [] }, { header: [] }, {}],
    tags: TAGS,
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'Your API key: `opk_…`. You can try the API without one.',
        },
        header: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Api-Key',
          description: 'The same key, in its own header.',
        },
      },
      headers: headerComponents(HEADERS, examples.headers),
      responses: responseComponents(examples),
      schemas: SCHEMAS,
    },
  };
}
