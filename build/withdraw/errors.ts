import { BuildError } from '../errors.ts';

/** The new snapshot still contains the article: another database was built, or the article changed meanwhile. */
export class StillServed extends BuildError {
  constructor(slug: string, place: string) {
    super(
      `"${slug}" is still served from ${place}, because another database was built or the article changed meanwhile. ` +
        'Check that --db names the database that was built, then run "withdraw" again.',
    );
  }
}

/** The database has withdrawn the article, but the build failed. */
export class WithdrawalStopped extends BuildError {
  constructor(slug: string, out: string, reason: string) {
    super(`"${slug}" is still served from ${out}: ${reason} Then run "withdraw" again.`);
  }
}
