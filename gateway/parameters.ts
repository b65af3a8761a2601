/** Parses parameters by the tables of contract/parameters.ts. */
import { type ListRule, MAX_LISTED } from '../contract/filters.ts';
import {
  type ChoiceRule,
  type IntegerRule,
  type Rule,
  type Rules,
  type TextRule,
  TIME_PATTERN,
  type PlainRule,
  type WordsRule,
} from '../contract/parameters.ts';
import { splitWords } from '../contract/search/search-text.ts';
import { hasControl } from '../contract/text-limits.ts';
import { ApiError, badRequest } from './api-error.ts';
import { memoised } from './memoised.ts';
import type { Query } from './query.ts';

/** The value that a rule reads. */
type ValueOf<R extends Rule> = R extends IntegerRule
  ? number
  : R extends ChoiceRule<infer W>
    ? W
    : R extends ListRule
      ? readonly string[]
      : R extends PlainRule<'time'>
        ? Time | null
        : R extends WordsRule<infer W>
          ? readonly W[]
          : string;
type ValuesOf<R extends Rules> = { readonly [Name in keyof R]: ValueOf<R[Name]> };

/** A time as it was given, and in Unix seconds with any fraction. */
export interface Time {
  readonly text: string;
  readonly unix: number;
}

/**
 * The values of a query by an endpoint's rules; an absent text or list is empty. Malformed values come first; all invalid
 * texts are reported together.
 *
 * @throws ApiError 400, 422
 */
export function readParameters<R extends Rules>(query: Query, rules: R): ValuesOf<R> {
  const values = { ...absentValues(rules) };
  const errors: Record<string, string[]> = {};
  let listed = 0;
  for (const [name, text] of inOrder(rules, query)) {
    const rule = rules[name]!;
    if (query.repeated.has(name)) throw badRequest(`The parameter ${name} is given twice. Give it once.`);
    if (rule.kind === 'integer') values[name] = readInteger(name, rule, text);
    else if (rule.kind === 'choice') values[name] = readChoice(name, rule, text);
    else if (rule.kind === 'words') values[name] = readWords(name, rule, text);
    else if (rule.kind === 'time') values[name] = text ? readTime(name, text) : null;
    else if (rule.kind === 'list') {
      const items = text ? readList(name, text) : [];
      values[name] = items;
      const faults = new Set(items.flatMap((item) => findFaults(rule, item)));
      listed += items.length;
      if (items.length > 0 && listed > MAX_LISTED) faults.add(TOO_MANY);
      if (faults.size > 0) errors[name] = [...faults];
    } else {
      values[name] = text;
      const faults = text && rule.kind === 'text' ? findFaults(rule, text) : [];
      if (faults.length > 0) errors[name] = faults;
    }
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return values as ValuesOf<R>; // Each name has a value of its rule's kind.
}

type Value = string | number | readonly string[] | Time | null;

/** The values of parameters that are not given. */
const absentValues = memoised((rules: Rules): Readonly<Record<string, Value>> => {
  const values = Object.entries(rules).map(([name, rule]): [string, Value] => {
    if (rule.kind === 'integer' || rule.kind === 'choice') return [name, rule.byDefault];
    if (rule.kind === 'time') return [name, null];
    return [name, rule.kind === 'list' || rule.kind === 'words' ? [] : ''];
  });
  return Object.fromEntries(values);
});

/** The parameters of a query that rules know, in the order of the rules: so the first fault does not depend on the order given. */
function inOrder(rules: Rules, { values }: Query): [name: string, text: string][] {
  const given: [string, string][] = [];
  for (const name in rules) {
    const text = values.get(name);
    if (text !== undefined) given.push([name, text]);
  }
  return given;
}

/** 422: readable values that are not valid. @param errors the reasons by parameter */
export function invalid(errors: Readonly<Record<string, readonly string[]>>): ApiError {
  return new ApiError(422, `Validation failed for ${Object.keys(errors).join(', ')}. See errors.`, {
    errors,
  });
}

const TOO_MANY = `All lists together may have at most ${MAX_LISTED} values.`;

function readList(name: string, text: string): readonly string[] {
  const items = text.split(',');
  if (items.every((item) => item !== '')) return items;
  throw badRequest(`${name} has an empty value. Separate values with single commas, or omit ${name}.`);
}

const TIME = new RegExp(TIME_PATTERN);

function readTime(name: string, text: string): Time {
  const [, date = '', month, day, , hours = 0, minutes = 0, seconds = 0, , , sign, ahead = 0, and = 0] =
    TIME.exec(text) ?? [];
  const midnight = new Date(date);
  // 30 February is read as 1 or 2 March.
  if (midnight.getUTCMonth() + 1 !== Number(month) || midnight.getUTCDate() !== Number(day)) {
    throw badRequest(`${name} must be an RFC 3339 date or time: 2024-02-29, or 2024-02-29T18:30:00+01:00.`);
  }
  const shift = (Number(ahead) * 60 + Number(and)) * (sign === '-' ? -1 : 1);
  const unix =
    midnight.getTime() / 1000 + (Number(hours) * 60 + Number(minutes) - shift) * 60 + Number(seconds);
  return { text, unix };
}

function readInteger(name: string, { min, max }: IntegerRule, text: string): number {
  const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw badRequest(`${name} must be an integer from ${min} to ${max}.`);
}

function readChoice(name: string, { choices }: ChoiceRule, text: string): string {
  if (choices.includes(text)) return text;
  const wanted = choices.filter((choice) => choice !== '').join(', ');
  throw badRequest(`${name} must be ${choices.includes('') ? '' : 'one of '}${wanted}.`);
}

/** In the rule's order, so that equal lists are the same. */
function readWords(name: string, { choices }: WordsRule, text: string): readonly string[] {
  const given = text === '' ? [] : text.split(',');
  if (given.every((word) => choices.includes(word))) return choices.filter((word) => given.includes(word));
  const some = choices.length === 1 ? '' : ', or several of them, separated by commas';
  throw badRequest(`${name} must be ${choices.join(', ')}${some}.`);
}

type Bounds = Pick<TextRule, 'maxCharacters' | 'maxTerms' | 'maxItems'>;

function findFaults({ maxCharacters, maxTerms, maxItems }: Bounds, text: string): string[] {
  const faults: string[] = [];
  if (text.length > maxCharacters && [...text].length > maxCharacters) {
    faults.push(`It may have at most ${maxCharacters} characters.`);
  }
  if (hasControl(text)) faults.push('It must not contain control characters.');
  if (faults.length === 0 && maxTerms !== undefined && splitWords(text).length > maxTerms) {
    faults.push(`It may have at most ${maxTerms} terms.`);
  }
  if (maxItems !== undefined && text.split(',').length > maxItems) {
    faults.push(`It may have at most ${maxItems} items.`);
  }
  return faults;
}
