import type { MaybePromise } from './maybe-promise.ts';
import { type Sharing, SingleFlight } from './single-flight.ts';

/** A value that is made once for all requests. After a failure, the next request makes it again. */
export function once<Value>(make: () => Promise<Value>, sharing?: Sharing): () => MaybePromise<Value> {
  const making = new SingleFlight<Value>(sharing);
  let made: { readonly value: Value } | undefined;
  return () => {
    if (made) return made.value;
    return making.run('', async () => {
      const value = await make();
      made = { value };
      return value;
    });
  };
}
