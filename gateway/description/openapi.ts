/**
 * The description of the interface in OpenAPI 3.1, as `/openapi.json` gives it.
 *
 *   operations.ts  what each endpoint is for, and which statuses it answers
 *   parameters.ts  the gateway's own rules for parameters, as schemas (../parameters.ts)
 *   responses.ts   each status with its headers and body
 *   headers.ts     each header
 *   schemas.ts     each body
 *   examples.ts    requests put to the gateway itself, whose replies are the examples
 *
 * It speaks of one service: its limits, its site's name, and examples from its own blog.
 */
import { API_NAME, API_VERSION, ENDPOINTS, type EndpointName, PREFIX } from '../../contract/api.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { askExamples } from './examples.ts';
import { HEADERS, headerComponents } from './headers.ts';
import { introduction } from './introduction.ts';
import { describeOperation, describePreflight, OPERATIONS, TAGS } from './operations.ts';
import { responseComponents } from './responses.ts';
import { SCHEMAS } from './schemas.ts';

/** The whole description, for one snapshot. Small: some 60 kB as JSON. */
export async function describeInterface(snapshot: Snapshot): Promise<Record<string, unknown>> {
  const { policy, site } = snapshot.directory;
  const examples = await askExamples(snapshot);
  const paths = (Object.keys(OPERATIONS) as EndpointName[]).map((name) => [
    ENDPOINTS[name].path || '/',
    { get: describeOperation(name, examples), options: describePreflight(name) },
  ]);
  return {
    openapi: '3.1.0',
    info: {
      title: `${site.name}: ${API_NAME}`,
      version: API_VERSION,
      summary: 'Published articles, categories, tags and authors, read-only, as JSON.',
      description: introduction(policy.limits),
      license: { name: 'MIT, for the interface. Articles are their authors’ own.', identifier: 'MIT' },
    },
    servers: [{ url: (site.api_url ?? '') + PREFIX, description: site.name }],
    security: [{ bearer: [] }, { header: [] }, {}],
    tags: TAGS,
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'Your API key: `opk_…`. Not needed to try.' },
        header: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Api-Key',
          description: 'The same key, in a header of its own.',
        },
      },
      headers: headerComponents(HEADERS, examples.headers),
      responses: responseComponents(examples),
      schemas: SCHEMAS,
    },
  };
}
