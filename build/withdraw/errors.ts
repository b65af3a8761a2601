import { BuildError } from '../errors.ts';

/** The database has withdrawn the article, but the build failed. */
export class WithdrawalStopped extends BuildError {
  constructor(slug: string, out: string, reason: string) {
    super(`"${slug}" is still served from ${out}: ${reason} Then run "withdraw" again.`);
  }
}
