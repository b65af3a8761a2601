/** Plans of accounts, and the limits that a snapshot has for them. */
import { accountPlans, isSameLimit, knowsPlan, type Limits } from '../../contract/policy.ts';
import type { AccountRow } from '../../data/accounts/accounts.ts';
import { readKeyRecords } from '../../data/accounts/key-files.ts';
import { PlanNotPublished, PlansMissing, RollbackChangesLimits } from '../errors.ts';
import { limitChanges, publishedLimits } from './guards.ts';
import { readPointer } from './pointer-file.ts';

/**
 * Refuses to give a plan that the published snapshot does not know, since gateways would count by `user`, or that the next
 * build would lose.
 *
 * @param limits of the next build
 * @throws PlanNotPublished, PlansMissing
 */
export function guardPlan(
  place: { readonly out: string; readonly limits: Limits },
  plan: string | undefined,
): void {
  if (plan === undefined || plan === 'user' || plan === 'admin') return;
  const { out } = place;
  const pointer = readPointer(out);
  const limits = pointer && publishedLimits(out, pointer.snapshot);
  if (plan === 'address' || !limits || !knowsPlan(limits, plan))
    throw new PlanNotPublished(plan, limits ? accountPlans(limits) : ['user', 'admin']);
  if (!knowsPlan(place.limits, plan)) throw new PlansMissing([{ plan }]);
}

/**
 * Refuses a rollback to other limits. A gateway counts accounts with a removed plan by `user`.
 *
 * @throws RollbackChangesLimits
 */
export function guardRollback(out: string, before: Limits | undefined, after: Limits | undefined): void {
  const changes = before && after ? limitChanges(before, after) : [];
  if (!before || !after || changes.length === 0) return;
  const affected = readKeyRecords(out).filter(
    ({ plan, revoked }) => !revoked && !isSameLimit(before, after, plan),
  );
  throw new RollbackChangesLimits(changes, [...new Set(affected.map(({ account }) => account))]);
}

/** Refuses limits that lack the plan of an account. @throws PlansMissing */
export function guardPlans(accounts: readonly AccountRow[], limits: Limits): void {
  const lost = accounts.filter(({ plan, removed_at }) => removed_at === null && !knowsPlan(limits, plan));
  if (lost.length > 0) throw new PlansMissing(lost);
}
