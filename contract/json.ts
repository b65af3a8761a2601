/**
 * Type guards for parsed JSON, for files that Offprint itself wrote. They are few and cheap, because the gateway, which
 * has no schema library, reads objects with them. Input from people and other programs is checked by valibot, whose
 * errors name the place.
 */
export type Check<T> = (value: unknown) => value is T;

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

export function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

export function isFlag(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** Whether a value is a JSON object: neither null nor a list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function listOf<T>(isItem: Check<T>): Check<T[]> {
  return (value): value is T[] => isList(value) && value.every(isItem);
}

export function pairOf<A, B>(isFirst: Check<A>, isSecond: Check<B>): Check<[A, B]> {
  return (value): value is [A, B] =>
    isList(value) && value.length === 2 && isFirst(value[0]) && isSecond(value[1]);
}

export function oneOf<T extends string | number>(values: readonly T[]): Check<T> {
  return (value): value is T => values.some((known) => known === value);
}

export function eitherOf<A, B>(isOne: Check<A>, isOther: Check<B>): Check<A | B> {
  return (value): value is A | B => isOne(value) || isOther(value);
}

export function nullOr<T>(isOther: Check<T>): Check<T | null> {
  return (value): value is T | null => value === null || isOther(value);
}

export function absentOr<T>(isOther: Check<T>): Check<T | undefined> {
  return (value): value is T | undefined => value === undefined || isOther(value);
}

/** An object with any keys. */
export function mapOf<T>(isItem: Check<T>): Check<Readonly<Record<string, T>>> {
  return (value): value is Readonly<Record<string, T>> =>
    isRecord(value) && Object.values(value).every(isItem);
}

/** An object with at least these fields. A field of the type without a check does not compile. */
export function recordOf<T extends object>(fields: {
  readonly [Name in keyof T]-?: Check<T[Name]>;
}): Check<T> {
  const checks = Object.entries<Check<unknown>>(fields);
  return (value): value is T => isRecord(value) && checks.every(([name, isRight]) => isRight(value[name]));
}

/**
 * Reads JSON.
 *
 * @param what names the expected value in the error: `a name table`
 * @throws SyntaxError if the text is not JSON, or not of the type
 */
export function parseJson<T>(text: string, isRight: Check<T>, what: string): T {
  const value: unknown = JSON.parse(text);
  if (!isRight(value)) throw new SyntaxError(`not ${what}`);
  return value;
}
