import { ExplainedError } from '../errors.ts';

/** A post that cannot be read; importers use the message as the reason for skipping the file. */
export class PostUnreadable extends ExplainedError {}
