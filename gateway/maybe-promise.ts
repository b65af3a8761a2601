/** A value, or a promise of one: warm requests are answered without a promise. */
export type MaybePromise<T> = T | Promise<T>;

/** `then`, synchronous if the value is. */
export function andThen<T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** `catch` for errors thrown or rejected. */
export function tryCatch<T>(
  work: () => MaybePromise<T>,
  fail: (error: unknown) => MaybePromise<T>,
): MaybePromise<T> {
  try {
    const value = work();
    return value instanceof Promise ? value.catch(fail) : value;
  } catch (error) {
    return fail(error);
  }
}

/** `Promise.all`, synchronous if all values are. */
export function all<A, B>(values: readonly [MaybePromise<A>, MaybePromise<B>]): MaybePromise<readonly [A, B]>;
export function all<T>(values: readonly MaybePromise<T>[]): MaybePromise<readonly T[]>;
export function all(values: readonly unknown[]): MaybePromise<readonly unknown[]> {
  return values.some((value) => value instanceof Promise) ? Promise.all(values) : values;
}
