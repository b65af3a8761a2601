/** Parses parameters by the tables of contract/parameters.ts. */
import type { ChoiceRule, IntegerRule, Rule, Rules, TextRule } from '../contract/parameters.ts';
import { wordsOf } from '../contract/search/search-text.ts';
import { hasControl } from '../contract/text-limits.ts';
import { ApiError, badRequest } from './api-error.ts';
import type { Query } from './query.ts';

/** The value that a rule reads. */
type ValueOf<R extends Rule> = R extends IntegerRule ? number : R extends ChoiceRule<infer W> ? W : string;
type ValuesOf<R extends Rules> = { readonly [Name in keyof R]: ValueOf<R[Name]> };

/**
 * The values of a query by an endpoint's rules; an absent text is empty. Malformed values come first; all invalid
 * texts are reported together.
 *
 * @throws ApiError 400, 422
 */
export function readParameters<R extends Rules>(query: Query, rules: R): ValuesOf<R> {
  const values: Record<string, string | number> = {};
  const errors: Record<string, string[]> = {};
  for (const [name, rule] of Object.entries(rules)) {
    if (query.repeated.has(name)) throw badRequest(`The parameter ${name} is given twice. Give it once.`);
    const text = query.values.get(name);
    if (rule.kind === 'integer') values[name] = readInteger(name, rule, text);
    else if (rule.kind === 'choice') values[name] = readChoice(name, rule, text);
    else {
      values[name] = text ?? '';
      const faults = text && rule.kind === 'text' ? faultsOf(rule, text) : [];
      if (faults.length > 0) errors[name] = faults;
    }
  }
  const wrong = Object.keys(errors);
  if (wrong.length > 0) {
    throw new ApiError(422, `Validation failed for ${wrong.join(', ')}. See errors.`, { errors });
  }
  return values as ValuesOf<R>; // Each name has a value of its rule's kind.
}

function readInteger(name: string, { min, max, byDefault }: IntegerRule, text: string | undefined): number {
  if (text === undefined) return byDefault;
  const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw badRequest(`${name} must be an integer from ${min} to ${max}.`);
}

function readChoice(name: string, { choices, byDefault }: ChoiceRule, text: string | undefined): string {
  if (text === undefined) return byDefault;
  if (choices.includes(text)) return text;
  const wanted = choices.filter((choice) => choice !== '').join(', ');
  throw badRequest(`${name} must be ${choices.includes('') ? '' : 'one of '}${wanted}.`);
}

function faultsOf({ maxCharacters, maxTerms, maxItems }: TextRule, text: string): string[] {
  const faults: string[] = [];
  if (text.length > maxCharacters && [...text].length > maxCharacters) {
    faults.push(`It may have at most ${maxCharacters} characters.`);
  }
  if (hasControl(text)) faults.push('It must not contain control characters.');
  if (faults.length === 0 && maxTerms !== undefined && wordsOf(text).length > maxTerms) {
    faults.push(`It may have at most ${maxTerms} terms.`);
  }
  if (maxItems !== undefined && text.split(',').length > maxItems) {
    faults.push(`It may have at most ${maxItems} items.`);
  }
  return faults;
}
