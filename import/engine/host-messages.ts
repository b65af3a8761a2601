/** What the process of a workspace (host.ts) is asked, and what it tells. */
import * as v from 'valibot';

/**
 * To start a program, with all of its environment; to kill it with everything that it started; to clean up and end. A closed
 * channel means the latter too, but Node closes none while messages arrive.
 */
export const HostRequest = v.union([
  v.object({
    id: v.number(),
    command: v.string(),
    args: v.array(v.string()),
    cwd: v.string(),
    env: v.record(v.string(), v.optional(v.string())),
    windowsVerbatimArguments: v.optional(v.boolean()),
  }),
  v.object({ kill: v.number() }),
  v.object({ end: v.literal(true) }),
]);
export type HostRequest = v.InferOutput<typeof HostRequest>;

const id = v.number();

/** A program printed, could not be started, or ended. The code is null if a signal ended it. */
export const HostEvent = v.union([
  v.object({ id, stream: v.picklist(['stdout', 'stderr']), text: v.string() }),
  v.object({ id, error: v.string() }),
  v.object({ id, code: v.nullable(v.number()) }),
]);
export type HostEvent = v.InferOutput<typeof HostEvent>;
