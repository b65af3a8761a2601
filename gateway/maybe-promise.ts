/** A value, or a promise of one: warm requests are answered without a promise. */
export type MaybePromise<T> = T | Promise<T>;

/** `then`, synchronous if the value is. */
export function andThen<T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** `catch` for errors thrown or rejected. */
export function catching<T>(
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
export function all<T>(values: readonly MaybePromise<T>[]): MaybePromise<readonly T[]> {
  return values.every(isThere) ? values : Promise.all(values);
}

function isThere<T>(value: MaybePromise<T>): value is T {
  return !(value instanceof Promise);
}

/** The same for two values of different types. */
export function both<A, B>(a: MaybePromise<A>, b: MaybePromise<B>): MaybePromise<readonly [A, B]> {
  return isThere(a) && isThere(b) ? [a, b] : Promise.all([a, b]);
}
