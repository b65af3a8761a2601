import { ExplainedError } from '../../common/errors.ts';

/** A post that cannot be read; importers turn the message into the reason of a skipped file. */
export class PostUnreadable extends ExplainedError {}
