import { BuildError } from '../errors.ts';

/** What can stop the work on a bucket. What the bucket serves stays as it is, whichever it was. */
export abstract class PublishError extends BuildError {}

export class BucketAddressInvalid extends PublishError {
  constructor(given: string, form: string) {
    super(`"${given}" is not the address of a bucket. It must be of the form ${form}.`);
  }
}

export class CredentialsMissing extends PublishError {
  constructor(variable: string) {
    super(
      `There are no credentials for the bucket: ${variable} is not set. ` +
        'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment.',
    );
  }
}

/** 401 and 403. */
export class CredentialsRefused extends PublishError {
  constructor(target: string, detail: string) {
    super(
      `The credentials were refused for ${target} (${detail}). See that AWS_ACCESS_KEY_ID and ` +
        'AWS_SECRET_ACCESS_KEY belong together, and that they may read and write this bucket.',
    );
  }
}

export class ClockWrong extends PublishError {
  constructor(target: string) {
    super(`The clock of this machine is too far from that of ${target}. Set it right, then try again.`);
  }
}

export class BucketMissing extends PublishError {
  constructor(bucket: string, endpoint: string) {
    super(`There is no bucket "${bucket}" at ${endpoint}. Make it, or name another with --to.`);
  }
}

export class EndpointUnreachable extends PublishError {
  constructor(endpoint: string, detail: string) {
    super(`${endpoint} cannot be reached (${detail}). See that --endpoint is right, then try again.`);
  }
}

/** An answer that is none of S3's, or that stayed an error through all tries. */
export class EndpointFailed extends PublishError {
  /** Of HTTP; undefined where the answer was a success and its body was not. */
  readonly status: number | undefined;

  constructor(endpoint: string, request: string, detail: string, status?: number) {
    super(
      `${endpoint} answered ${request} with ${detail}. ` +
        'Try again later; if it stays so, see that --endpoint speaks the S3 API.',
    );
    this.status = status;
  }
}

/** A store that would lose updates silently. */
export class StoreWithoutConditions extends PublishError {
  constructor(target: string, endpoint: string, detail: string) {
    super(
      `${target} at ${endpoint} does not support conditional writes: ${detail}. Two publishers, a rollback or ` +
        'a prune could undo each other there. Nothing was changed; use a store that docs/operating.md lists.',
    );
  }
}

/** Another publisher was faster, or somebody rolled back meanwhile. */
export class ChangedMeanwhile extends PublishError {
  constructor(target: string) {
    super(
      `Somebody else changed what ${target} serves meanwhile and goes first; this changed nothing. ` +
        `"snapshots list --to ${target}" shows what it serves now.`,
    );
  }
}

export class BucketEmpty extends PublishError {
  constructor(target: string) {
    super(`Nothing is published in ${target}. Run "publish" first, or name another with --to.`);
  }
}

export class BucketPointerUnreadable extends PublishError {
  constructor(target: string, detail: string) {
    super(
      `snapshot.json in ${target} cannot be read: ${detail}. ` +
        'Check --to; if it is right, "publish --full" writes it again.',
    );
  }
}

/** A file of the output does not hold what its name says, or is gone. */
export class ObjectDamaged extends PublishError {
  constructor(path: string, fault: string) {
    super(`${path} ${fault}, so it was not published. Run "build --full" to repair it, then publish again.`);
  }
}

export class PruneRunning extends PublishError {
  constructor(target: string, since: string) {
    super(
      `${target} is being pruned since ${since}. Try again when that is done; a prune that was killed ` +
        'counts as done after 20 minutes.',
    );
  }
}

/** A snapshot in the bucket that cannot be served whole. */
export class BucketSnapshotIncomplete extends PublishError {
  /** Of the object that is missing. */
  readonly path: string;

  constructor(snapshot: string, path: string, target: string) {
    super(
      `Snapshot ${snapshot} cannot be served from ${target}: ${path} is missing. ` +
        '"publish --full" repairs the current one; "snapshots rollback" serves another.',
    );
    this.path = path;
  }
}

/** Key records that stay other than they were a moment ago. */
export class KeysChangedMeanwhile extends PublishError {
  constructor(target: string) {
    super(`The keys in ${target} are changed by somebody else all the time. Try again in a while.`);
  }
}
