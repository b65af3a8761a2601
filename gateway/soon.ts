/** A value that is there already, or will be. What is warm is answered at once, without a promise. */
export type Soon<T> = T | Promise<T>;

/** Goes on with a value as soon as it is there. */
export function andThen<T, U>(value: Soon<T>, next: (value: T) => Soon<U>): Soon<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}
