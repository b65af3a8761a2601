import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';
import { type Call, type Reply, send } from '../service/client.ts';

/** The parts of an OpenAPI description that are used here. */
export interface Description {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}
interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, unknown>>;
}
interface Response {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, { readonly schema: unknown }>>;
}
interface Header {
  readonly required?: boolean;
  readonly schema: { readonly type?: string };
}

/** Headers of HTTP itself, which a description does not list (RFC 9110, 9112). */
const OF_HTTP = new Set([
  ...['connection', 'content-encoding', 'content-length', 'content-type', 'date', 'keep-alive'],
  ...['server', 'transfer-encoding'],
]);

/** Reads the description that a service serves at `/openapi.json`. */
export async function readDescription(origin: string): Promise<Description> {
  const reply = await send(origin, { path: '/openapi.json' });
  expect(reply.status, reply.text.slice(0, 300)).toBe(200);
  return reply.json as Description; // Another test validates it with a linter.
}

/** Findings of Redocly's recommended rules, including warnings. */
export async function faultsIn(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source, config, absoluteRef: 'openapi.json' });
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`);
}

/**
 * Checks replies against a description: the status is one of the operation, each header is described, required
 * headers are present, and the body matches the schema.
 */
export class Describer {
  readonly #description: Description;
  readonly #ajv: Ajv2020;
  readonly #templates: readonly { readonly template: string; readonly form: RegExp }[];
  readonly #compiled = new Map<unknown, ValidateFunction>();

  constructor(description: Description) {
    this.#description = description;
    this.#ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(this.#ajv);
    this.#ajv.addSchema({ $id: 'openapi:', components: closed(description.components) });
    this.#templates = Object.keys(description.paths).map((template) => ({
      template,
      form: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`),
    }));
  }

  /** @throws an assertion error that names what is not described, or differs from the description */
  check(call: Call, reply: Reply): void {
    const method = call.method ?? 'GET';
    if (method === 'OPTIONS' && reply.status === 204) return; // A preflight is not an operation.
    const what = `${method} ${call.path.slice(0, 200)} gave ${reply.status}`;
    const response = this.#responseFor(call.path, reply.status);
    expect(response, `${what}, which /openapi.json does not know there`).toBeDefined();
    if (response === undefined) return;

    this.#holdHeaders(response.headers ?? {}, reply, what);
    const content = response.content?.['application/json'];
    if (method === 'HEAD' || content === undefined) {
      expect(reply.text, what).toBe('');
      return;
    }
    expect(reply.header('Content-Type'), what).toMatch(/^application\/json\b/);
    this.#holdValue(content.schema, reply.json, `the body, where ${what},`);
  }

  #responseFor(path: string, status: number): Response | undefined {
    const { servers, paths } = this.#description;
    const bare = (path.split('?')[0] ?? '').replace(/([^/])\/$/, '$1'); // A trailing slash is ignored.
    const server = new URL(servers[0]?.url ?? '', 'http://any').pathname;
    const below = bare.slice(server.length) || '/';
    const isBelow = path.startsWith(server);
    const template = this.#templates.find(({ form }) => isBelow && form.test(below))?.template;
    const known = template === undefined ? undefined : paths[template]?.['get']?.responses[status];
    if (known !== undefined) return this.#resolved(known) as Response;
    // An unknown path has no operation. It must look like the 404 of one that has.
    if (template !== undefined) return undefined;
    const error = status >= 400 ? paths['/posts/{slug}']?.['get']?.responses[status] : undefined;
    return error === undefined ? undefined : (this.#resolved(error) as Response);
  }

  #holdHeaders(described: Readonly<Record<string, unknown>>, reply: Reply, what: string): void {
    for (const [name, reference] of Object.entries(described)) {
      const { required, schema } = this.#resolved(reference) as Header;
      const value = reply.header(name);
      if (value === undefined) {
        expect(required ?? false, `${what} without the header ${name}`).toBe(false);
        continue;
      }
      const isNumber = schema.type === 'integer' && /^\d+$/.test(value);
      this.#holdValue(schema, isNumber ? Number(value) : value, `${name}: ${value}, where ${what},`);
    }
    const names = new Set(Object.keys(described).map((name) => name.toLowerCase()));
    const others = reply.headerNames.filter((name) => !names.has(name) && !OF_HTTP.has(name));
    expect(others, `headers, where ${what}, that /openapi.json does not describe`).toEqual([]);
  }

  #holdValue(schema: unknown, value: unknown, what: string): void {
    let validate = this.#compiled.get(schema);
    if (validate === undefined) {
      const text = JSON.stringify(closed(schema)).replaceAll('"$ref":"#/', '"$ref":"openapi:#/');
      validate = this.#ajv.compile(JSON.parse(text));
      this.#compiled.set(schema, validate);
    }
    if (validate(value)) return;
    expect.fail(`${what} is not as described: ${this.#ajv.errorsText(validate.errors)}`);
  }

  /** The target of a `$ref`, or the value itself. */
  #resolved(value: unknown): unknown {
    const reference = (value as { $ref?: string }).$ref;
    if (reference === undefined) return value;
    const [, part = '', name = ''] = /^#\/components\/(\w+)\/([\w-]+)$/.exec(reference) ?? [];
    const found = this.#description.components[part]?.[name];
    if (found === undefined) throw new Error(`The description refers to ${reference}, which it has not.`);
    return found;
  }
}

/** Copies schemas so that objects may only have described fields. */
function closed(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema), (_, value: unknown) =>
    typeof value === 'object' && value !== null && 'properties' in value && 'required' in value
      ? { ...value, additionalProperties: false }
      : value,
  );
}
