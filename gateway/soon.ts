/** A value that is there already, or will be. What is warm is answered at once, without a promise. */
export type Soon<T> = T | Promise<T>;

/** Goes on with a value as soon as it is there. */
export function andThen<T, U>(value: Soon<T>, next: (value: T) => Soon<U>): Soon<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Does some work. Its error, thrown or rejected, ends in `fail`. */
export function catching<T>(work: () => Soon<T>, fail: (error: unknown) => Soon<T>): Soon<T> {
  try {
    const value = work();
    return value instanceof Promise ? value.catch(fail) : value;
  } catch (error) {
    return fail(error);
  }
}

/** All values, in their order: at once where all are there. */
export function all<T>(values: readonly Soon<T>[]): Soon<readonly T[]> {
  return values.every(isThere) ? values : Promise.all(values);
}

function isThere<T>(value: Soon<T>): value is T {
  return !(value instanceof Promise);
}

/** Two values of different kinds. */
export function both<A, B>(a: Soon<A>, b: Soon<B>): Soon<readonly [A, B]> {
  return isThere(a) && isThere(b) ? [a, b] : Promise.all([a, b]);
}
