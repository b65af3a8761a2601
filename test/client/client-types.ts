/**
 * The types of the client (client/source/api-types.ts), from the same schemas and rules as `/openapi.json`. A test holds
 * them in step, and writes them: `npx vitest run test/client/types.test.ts -u`.
 */
import { isDeepStrictEqual } from 'node:util';
import { QUERY_PARAMETERS } from '../../contract/parameters.ts';
import { queryParameters } from '../../build/description/parameters.ts';
import { type Schema, SCHEMAS } from '../../build/description/schemas.ts';

const { q, sort, slug, page, per_page } = QUERY_PARAMETERS.posts;

/** Requests whose parameters are the caller's to choose; the client has types of its own for filters. */
const QUERIES = {
  PostsQuery: { q, sort, slug, page, per_page },
  AuthorsQuery: QUERY_PARAMETERS.authors,
  ChangesQuery: QUERY_PARAMETERS.changes,
} as const;

/** TypeScript, as the file has it. */
export function clientTypes(): string {
  const records = Object.entries(SCHEMAS).map(([name, schema]) => declaration(name, schema));
  const queries = Object.entries(QUERIES).map(([name, rules]) => {
    const fields = queryParameters(rules, {}).map(({ name: field, description, schema }) => {
      const type = isSchema(schema) ? typeOf(schema, '  ') : 'unknown';
      return `${comment(description, '  ')}  ${String(field)}?: ${type} | undefined;\n`;
    });
    return `export interface ${name} {\n${fields.join('')}}\n`;
  });
  const origin = '/** Made by test/client/client-types.ts from the description of the API. */\n';
  return [origin, ...records, ...queries].join('\n');
}

/** An interface. It extends each one before it whose fields it has all of, and declares only its own. */
function declaration(name: string, schema: Schema): string {
  const fields = fieldsOf(schema);
  const isSame = (base: Schema, field: string) => isRequired(base, field) === isRequired(schema, field);
  const names = Object.keys(SCHEMAS);
  const bases = Object.entries<Schema>(SCHEMAS)
    .slice(0, names.indexOf(name))
    .filter(([, base]) =>
      Object.entries(fieldsOf(base)).every(([field, type]) => isDeepStrictEqual(type, fields[field])),
    );
  const inherited = new Set(
    bases.flatMap(([, base]) => Object.keys(fieldsOf(base)).filter((field) => isSame(base, field))),
  );
  const own = Object.fromEntries(Object.entries(fields).filter(([field]) => !inherited.has(field)));
  const extended = bases.length === 0 ? '' : `extends ${bases.map(([base]) => base).join(', ')} `;
  const body = Object.keys(own).length === 0 ? '{}' : typeOf({ ...schema, properties: own }, '');
  return `${comment(schema['description'], '')}export interface ${name} ${extended}${body}\n`;
}

function isRequired({ required }: Schema, field: string): boolean {
  return Array.isArray(required) && required.includes(field);
}

function fieldsOf({ properties }: Schema): Schema {
  return isSchema(properties) ? properties : {};
}

/** @param indent of the line on which the type begins */
function typeOf(schema: Schema, indent: string): string {
  const { $ref, const: constant, enum: words, oneOf, type, items, properties, additionalProperties } = schema;
  if (typeof $ref === 'string') return $ref.slice($ref.lastIndexOf('/') + 1);
  if (constant !== undefined) return literal(constant);
  if (Array.isArray(words)) return words.map(literal).join(' | ');
  const choices = Array.isArray(oneOf) ? oneOf.filter(isSchema) : [];
  if (Array.isArray(type)) choices.push(...type.map((one) => ({ ...schema, type: one })));
  if (choices.length > 0) return choices.map((one) => typeOf(one, indent)).join(' | ');
  switch (type) {
    case 'integer':
      return 'number';
    case 'array':
      return isSchema(items) ? arrayOf(typeOf(items, indent)) : 'unknown[]';
    case 'object':
      if (isSchema(additionalProperties)) return `Record<string, ${typeOf(additionalProperties, indent)}>`;
      return isSchema(properties) ? recordOf(schema, properties, indent) : 'object';
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    default:
      throw new Error(`There is no TypeScript for a schema of type ${JSON.stringify(type)}.`);
  }
}

function recordOf(record: Schema, properties: Schema, indent: string): string {
  const deeper = `${indent}  `;
  const fields = Object.entries(properties).map(([name, schema]) => {
    if (!isSchema(schema)) return '';
    const field = `${name}${isRequired(record, name) ? '' : '?'}: ${typeOf(schema, deeper)}`;
    return `${comment(schema['description'], deeper)}${deeper}${field};\n`;
  });
  return `{\n${fields.join('')}${indent}}`;
}

function arrayOf(type: string): string {
  return type.includes(' | ') && !type.endsWith('}') ? `(${type})[]` : `${type}[]`;
}

function comment(text: unknown, indent: string): string {
  return typeof text === 'string' && text !== '' ? `${indent}/** ${text} */\n` : '';
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
