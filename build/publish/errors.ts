import { BucketError } from '../../common/bucket/errors.ts';

/** The store would silently lose updates. */
export class StoreWithoutConditions extends BucketError {
  constructor(target: string, endpoint: string, detail: string) {
    super(
      `${target} at ${endpoint} does not support conditional writes: ${detail}. Without them, publishes, rollbacks ` +
        'and prunes could undo each other. Nothing was changed. Use a store that docs/operators/buckets.md lists.',
    );
  }
}

/** Another publish or a rollback was faster. */
export class ChangedMeanwhile extends BucketError {
  constructor(target: string) {
    super(
      `Another command changed what ${target} serves in the meantime, so this one changed nothing. ` +
        `"snapshots list --to ${target}" shows what it serves now.`,
    );
  }
}

export class BucketPointerUnreadable extends BucketError {
  constructor(target: string, detail: string) {
    super(
      `snapshot.json in ${target} cannot be read: ${detail}. ` +
        'Check --to; if it is right, "publish --full" writes it again.',
    );
  }
}

/** An object of the output is missing, or does not match its name. */
export class ObjectDamaged extends BucketError {
  constructor(path: string) {
    super(
      `${path} is missing or damaged, so nothing was published. Run "build --full" to repair it, then publish again.`,
    );
  }
}

export class PruneRunning extends BucketError {
  constructor(target: string, since: string) {
    super(
      `A prune of ${target} has been running since ${since}. Try again when it has finished. A killed prune ` +
        'counts as ended after 20 minutes.',
    );
  }
}
