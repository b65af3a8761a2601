import { BuildError } from '../errors.ts';

/** What was built or published still holds the article: it is of another database, or was changed meanwhile. */
export class StillServed extends BuildError {
  constructor(slug: string, place: string) {
    super(
      `"${slug}" is still served from ${place}: what is built from this database holds it. See that --db and --source ` +
        'name the database that was built from, then run "withdraw" again.',
    );
  }
}

/** The database has withdrawn the article, and the output could not follow. */
export class WithdrawalStopped extends BuildError {
  constructor(slug: string, out: string, reason: string) {
    super(`"${slug}" is still served from ${out}: ${reason} Then run "withdraw" again.`);
  }
}
