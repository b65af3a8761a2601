/**
 * `/openapi.json` is valid, complete and correct. The conformance tests compare replies with it.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ENDPOINTS, PREFIX } from '../../../contract/api.ts';
import { cutTexts, ERRORS, HEADERS_TOO_LARGE, SUCCESSES } from '../../../build/description/examples.ts';
import { ERROR_RESPONSES } from '../../../build/description/responses.ts';
import { NOT_READY, TOO_SLOW, UNEXPECTED } from '../../../gateway/api-error.ts';
import { refused } from '../../../gateway/reply.ts';
import { QUERY_PARAMETERS } from '../../../contract/parameters.ts';
import { type Description, Describer, faultsIn, readDescription } from '../../conformance/described.ts';
import { read } from '../../docs/documents.ts';
import { emptyBlog, oddBlog, sampleBlog } from '../../service/blogs.ts';
import { makeReply, send } from '../../service/client.ts';
import type { Service } from '../../service/home.ts';
import { nodeHome } from '../../service/node-home.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly example?: unknown;
}
interface Media {
  readonly schema?: object;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

let service: Service;
let description: Description;

beforeAll(async () => {
  service = await nodeHome.serve(await sampleBlog(), { limits: { minute: 1000, day: { address: 2000 } } });
  description = await readDescription(service.url);
});
afterAll(() => service.close());

const operationOf = (name: keyof typeof ENDPOINTS) => {
  const operation = description.paths[ENDPOINTS[name].path || '/']?.['get'];
  return operation as unknown as {
    readonly parameters: readonly Parameter[];
    readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
  };
};
const responses = () =>
  description.components['responses'] as unknown as Record<
    string,
    { readonly content: Readonly<Record<string, Media>>; readonly headers: Readonly<Record<string, unknown>> }
  >;

/** The records of an answer, without counts, which differ from those of the small example blog. */
const records = (value: unknown): Record<string, unknown>[] => {
  const { data } = value as { data: object };
  const list = ('items' in data ? data.items : Array.isArray(data) ? data : [data]) as object[];
  return list.map((record) => ({ ...record, views: 0, posts_count: 0 }));
};

describe('/openapi.json', () => {
  it('passes the linter', async () => {
    expect(await faultsIn(JSON.stringify(description))).toEqual([]);
  });

  it('passes the linter for an empty blog too, and shows no limit that is off', async () => {
    const empty = await nodeHome.serve(await emptyBlog(), { limits: { minute: null } });
    try {
      const described = await readDescription(empty.url);
      expect(await faultsIn(JSON.stringify(described))).toEqual([]);
      const { TooManyRequests } = described.components['responses'] as Record<string, { content: object }>;
      expect(JSON.stringify(TooManyRequests?.content)).toMatch(/"examples":\{"day":(?!.*"minute")/);
    } finally {
      await empty.close();
    }
  });

  it('has every endpoint, with the prefix of this service', () => {
    const paths = Object.values(ENDPOINTS).map(({ path }) => path || '/');
    expect(Object.keys(description.paths).sort()).toEqual(paths.sort());
    expect(description.servers.map(({ url }) => url)).toEqual([PREFIX]);
  });

  it('has names that suit a generated client', () => {
    const operations = Object.values(description.paths).flatMap((path) => Object.entries(path));
    expect(new Set(operations.map(([method]) => method))).toEqual(new Set(['get']));
    const names = operations.map(([, { operationId }]) => operationId);
    expect(names.sort()).toEqual([
      ...['getAuthor', 'getMe', 'getOverview', 'getPost'],
      ...['listAuthors', 'listCategories', 'listChanges', 'listPosts', 'listTags'],
    ]);
    // The name would hide a built-in of the client's language.
    const components = Object.values(description.components).flatMap((named) => Object.keys(named));
    for (const taken of ['Error', 'Response', 'Request', 'Object', 'Date'])
      expect(components).not.toContain(taken);
  });

  it.each(Object.entries(QUERY_PARAMETERS))('has the parameters of %s', (name, rules) => {
    const { parameters } = operationOf(name as keyof typeof ENDPOINTS);
    const inQuery = parameters.filter((parameter) => parameter.in === 'query');
    expect(inQuery.map((parameter) => parameter.name)).toEqual(Object.keys(rules));
    const separated = inQuery.filter(({ schema }) => schema['type'] === 'array');
    for (const parameter of separated) expect(parameter).toMatchObject({ style: 'form', explode: false });
  });

  it('has the bounds that the service enforces', async () => {
    for (const { name, schema } of operationOf('posts').parameters) {
      const [maximum, maxLength] = [schema['maximum'], schema['maxLength']];
      const at =
        typeof maximum === 'number'
          ? [maximum, maximum + 1]
          : typeof maxLength === 'number'
            ? ['x'.repeat(maxLength), 'x'.repeat(maxLength + 1)]
            : [];
      const statuses: number[] = [];
      for (const value of at)
        statuses.push((await send(service.url, { path: `${PREFIX}/posts?${name}=${value}` })).status);
      if (at.length > 0) expect(statuses, name).toEqual([200, typeof maximum === 'number' ? 400 : 422]);
    }
  });
});

describe('examples', () => {
  const known = () => {
    const slug = operationOf('post').parameters[0]?.example as string;
    return { slug, username: operationOf('author').parameters[0]?.example as string };
  };

  const shownOf = (name: keyof typeof SUCCESSES) =>
    operationOf(name).responses[200]?.content?.['application/json']?.examples?.['real']?.value;

  it.each(['overview', 'post'] as const)("of %s equal the service's answer", async (name) => {
    const { target } = SUCCESSES[name](known());
    expect(shownOf(name)).toEqual(cutTexts((await send(service.url, { path: target })).json));
  });

  it("of me equal the service's answer", async () => {
    const { key } = await service.createKey({ account: 'example', name: 'my site' });
    const { target } = SUCCESSES.me(known());
    const { json } = await send(service.url, { path: target, headers: { 'x-api-key': key } });
    expect(JSON.parse(JSON.stringify(shownOf('me')).replace(/opk_\w{8}/, key.slice(0, 12)))).toEqual(json);
  });

  it.each([
    ['posts', '/posts?sort=old&per_page=50'],
    ['categories', '/categories'],
    ['tags', '/tags'],
    ['authors', '/authors?per_page=50'],
    ['author', '/authors?per_page=50'],
  ] as const)('of %s show records of this blog', async (name, path) => {
    const { json } = await send(service.url, { path: PREFIX + path });
    const shown = records(shownOf(name));
    expect(shown.length).toBeGreaterThan(0);
    for (const record of shown) expect(records(json)).toContainEqual(cutTexts(record));
  });

  it("exist for every error, and equal the service's answer", async () => {
    for (const [status, { component }] of Object.entries(ERROR_RESPONSES)) {
      const examples = responses()[component]?.content['application/json']?.examples ?? {};
      expect(Object.keys(examples).length, status).toBeGreaterThan(0);
      for (const [name, { value }] of Object.entries(examples)) {
        const request = ERRORS.find((error) => error.name === name && error.status === Number(status));
        // These faults and limits have tests of their own.
        if (!request || request.state !== undefined || request.status === 403) continue;
        const { method = 'GET', target: path, key, ifMatch } = request;
        const headers = {
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
        };
        const reply = await send(service.url, { method, path, headers });
        expect([reply.status, reply.json], name).toEqual([Number(status), value]);
      }
    }
  });

  it('of 403 equal the answer for a key without the permission', async () => {
    const { key } = await service.createKey({ account: 'narrow', name: 'narrow', scopes: ['blog:read'] });
    const reply = await send(service.url, { path: `${PREFIX}/tags`, headers: { 'x-api-key': key } });
    const examples = responses()['Forbidden']?.content['application/json']?.examples;
    expect(reply.json).toEqual(examples?.['scope']?.value);
  });

  it('of headers exist for each', () => {
    const headers = description.components['headers'] as Record<string, { readonly example?: unknown }>;
    const without = Object.entries(headers).filter(([, { example }]) => example === undefined);
    expect(without).toEqual([]);
  });
});

describe('generated validators', () => {
  const validatorOf = (name: keyof typeof ENDPOINTS) => {
    const { schema } = operationOf(name).responses[200]?.content?.['application/json'] ?? {};
    const text = JSON.stringify({ $defs: description.components['schemas'], ...schema });
    return z.fromJSONSchema(JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')));
  };

  it('accept every article and every record of an extreme blog, and fields of a later version', async () => {
    const odd = await nodeHome.serve(await oddBlog(), { limits: { minute: 1000, day: { address: 2000 } } });
    try {
      const get = async (path: string) => (await send(odd.url, { path: PREFIX + path })).json;
      for (const name of ['overview', 'me', 'categories', 'tags'] as const) {
        validatorOf(name).parse(await get(ENDPOINTS[name].path));
      }
      const [posts, authors] = [await get('/posts?per_page=50'), await get('/authors?per_page=50')];
      validatorOf('posts').parse(posts);
      validatorOf('authors').parse(authors);
      const slugs = records(posts).map(({ slug }) => encodeURIComponent(String(slug)));
      expect(slugs.length).toBeGreaterThan(20);
      for (const slug of slugs) {
        const post = records(await get(`/posts/${slug}`))[0];
        validatorOf('post').parse({ success: true, data: { ...post, later: 'a new field' } });
        expect(() => validatorOf('post').parse({ success: true, data: { ...post, title: 1 } })).toThrow(
          /title/,
        );
      }
    } finally {
      await odd.close();
    }
  });

  it('do not depend on formats, which they implement differently', () => {
    expect(JSON.stringify(description.components['schemas'])).not.toMatch(
      /"format"|"additionalProperties":false/,
    );
  });
});

describe('docs/consumers/api.md', () => {
  it('has every header and status of the description', () => {
    const api = read('docs/consumers/api.md');
    const headers = Object.keys(description.components['headers'] ?? {});
    expect(headers.filter((name) => !api.includes(`\`${name}\``))).toEqual([]);
    const statuses = [200, 304, ...Object.keys(ERROR_RESPONSES)];
    expect(statuses.filter((status) => !new RegExp(`\\b${status}\\b`).test(api))).toEqual([]);
  });
});

describe('the check of replies against the description', () => {
  it.each([TOO_SLOW, HEADERS_TOO_LARGE, NOT_READY, UNEXPECTED])(
    'covers what no test triggers over HTTP: $status',
    (error) => {
      const { status, headers, body } = refused(error, null);
      const pairs = headers.flatMap((name, i) => (i % 2 === 0 ? [[name.toLowerCase(), headers[i + 1]]] : []));
      const reply = makeReply(status, Object.fromEntries(pairs), new TextDecoder().decode(body ?? undefined));
      new Describer(description).check({ path: `${PREFIX}/tags` }, reply);
    },
  );
});
