/**
 * A function whose results are cached as long as their key lives.
 *
 * @param make must depend on the key alone; the context only provides access
 */
export function memoised<Key extends WeakKey, Value, Context = void>(
  make: (key: Key, context: Context) => Value,
): (key: Key, context: Context) => Value {
  const known = new WeakMap<Key, Value>();
  return (key, context) => {
    let value = known.get(key);
    if (value === undefined) {
      value = make(key, context);
      known.set(key, value);
    }
    return value;
  };
}
