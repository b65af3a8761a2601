/**
 * A function whose results are kept for as long as what they are made from.
 *
 * @param make gives the same for the same key, whatever the context is that it takes besides
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
