/** The gateway's rules for parameters (contract/parameters.ts), as OpenAPI says them. */
import { MAX_LISTED } from '../../contract/filters.ts';
import { PATH_PARAMETERS, type Rule, type Rules, TIME_PATTERN } from '../../contract/parameters.ts';
import type { KnownValues } from './example-blog.ts';
import type { Schema } from './schemas.ts';

/** Query parameters: all optional. */
export function queryParameters(rules: Rules, known: KnownValues): readonly Schema[] {
  const examples: Readonly<Record<string, string | undefined>> = known;
  return Object.entries(rules).map(([name, rule]) => {
    const example = examples[name];
    return {
      name,
      in: 'query',
      ...(rule.kind === 'list' || rule.kind === 'words' ? { style: 'form', explode: false } : {}),
      description: rule.meaning + describeBounds(rule),
      schema: toSchema(rule),
      ...(example === undefined ? {} : { example }),
    };
  });
}

/** The parameters in a path, `{slug}` and the like. */
export function pathParameters(path: string, known: KnownValues): readonly Schema[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => {
    if (name !== 'slug' && name !== 'username')
      throw new Error(`The path parameter ${name} is not described.`);
    const example = known[name];
    return {
      name,
      in: 'path',
      required: true,
      description: PATH_PARAMETERS[name],
      schema: { type: 'string', minLength: 1 },
      ...(example === undefined ? {} : { example }),
    };
  });
}

function toSchema(rule: Rule): Schema {
  switch (rule.kind) {
    case 'integer':
      return { type: 'integer', minimum: rule.min, maximum: rule.max, default: rule.byDefault };
    case 'choice':
      return rule.byDefault === ''
        ? { type: 'string', enum: rule.choices.filter((choice) => choice !== '') }
        : { type: 'string', enum: rule.choices, default: rule.byDefault };
    case 'words':
      return { type: 'array', items: { type: 'string', enum: rule.choices } };
    case 'token':
      return { type: 'string' };
    case 'time':
      return { type: 'string', pattern: TIME_PATTERN };
    case 'list':
      return {
        type: 'array',
        items: { type: 'string', minLength: 1, maxLength: rule.maxCharacters },
        minItems: 1,
        maxItems: MAX_LISTED,
      };
    case 'text':
      return { type: 'string', maxLength: rule.maxCharacters };
  }
}

/** What a schema cannot say. */
function describeBounds(rule: Rule): string {
  if (rule.kind === 'time')
    return ' A date, or a time as in RFC 3339; in UTC if it has no offset. Empty values are ignored.';
  if (rule.kind === 'list')
    return ` All such lists in a request may have at most ${MAX_LISTED} values in total, each of at most ${rule.maxCharacters} characters, without control characters. Empty lists are ignored.`;
  if (rule.kind !== 'text') return '';
  const terms = rule.maxTerms === undefined ? '' : ` and ${rule.maxTerms} terms, separated by white space`;
  const items = rule.maxItems === undefined ? '' : ` and ${rule.maxItems} items, separated by commas`;
  return ` At most ${rule.maxCharacters} characters${terms}${items}; no control characters. Empty values are ignored.`;
}
