import { ENDPOINTS, SCOPE_OPENS, SCOPES } from './api.ts';
import { eitherOf, isNumber, isText, listOf, recordOf } from './json.ts';

/** The plans of the interface ("Limits"): callers without a key, accounts, administrators' accounts. Owners add others. */
export const INTERFACE_PLANS = ['address', 'user', 'admin'] as const;

type InterfacePlan = (typeof INTERFACE_PLANS)[number];

/** A number of requests for each plan, by its name. */
export type ByPlan = Readonly<Record<InterfacePlan, number>> & {
  readonly [plan: string]: number | undefined;
};

/** Counts belong to the account, not to its plan: while a change of plan takes effect, callers get at most the larger limit. */
export interface Limits {
  /** Requests a UTC day, by plan. */
  readonly day: ByPlan;
  /** Requests in any 60 seconds: for every caller, or by plan. */
  readonly minute: number | ByPlan;
}

/**
 * Means "no limit". The interface requires integers in headers, so callers see this number, and older gateways treat it
 * as an ordinary limit.
 */
export const NO_LIMIT = 2_147_483_647;

/** Lower-case letters, digits and hyphens, with a letter first: 40 characters at most. Names that every object has are not allowed. */
export function isPlanName(name: string): boolean {
  return /^(?!(?:constructor|prototype)$)[a-z][a-z0-9-]{0,39}$/.test(name);
}

export function knowsPlan({ day }: Limits, plan: string): boolean {
  return Object.hasOwn(day, plan);
}

/** The plans that accounts can have. */
export function accountPlans({ day }: Limits): string[] {
  return Object.keys(day).filter((plan) => plan !== 'address');
}

/** Requests a UTC day. An unknown plan counts as `user`. */
export function dayLimit({ day }: Limits, plan: string): number {
  return of(day, plan);
}

/** Requests in any 60 seconds; likewise. */
export function minuteLimit({ minute }: Limits, plan: string): number {
  return typeof minute === 'number' ? minute : of(minute, plan);
}

function of(table: ByPlan, plan: string): number {
  return (Object.hasOwn(table, plan) ? table[plan] : undefined) ?? table.user;
}

/** Whether two limits are the same for a plan. */
export function isSameLimit(one: Limits, other: Limits, plan: string): boolean {
  return dayLimit(one, plan) === dayLimit(other, plan) && minuteLimit(one, plan) === minuteLimit(other, plan);
}

/** Whether a plan has no limit at all. Its callers are not counted. */
export function isUnlimited(limits: Limits, plan: string): boolean {
  return dayLimit(limits, plan) === NO_LIMIT && minuteLimit(limits, plan) === NO_LIMIT;
}

/** The limits that anyone may know: those of the interface's plans. */
export function publicLimits({ day, minute }: Limits): Limits {
  if (typeof minute === 'number') return { day: publicPlans(day), minute };
  const { address, user, admin } = minute;
  const hasOthers = Object.keys(minute).length > INTERFACE_PLANS.length;
  // One number, as if the owner's plans were not there.
  const isOne = hasOthers && address === user && user === admin;
  return { day: publicPlans(day), minute: isOne ? user : publicPlans(minute) };
}

function publicPlans({ address, user, admin }: ByPlan): ByPlan {
  return { address, user, admin };
}

export interface Permission {
  /** A Scope. Snapshots of newer versions may have others. */
  readonly name: string;
  readonly opens: string;
  /** As in the overview: `GET /posts/{slug}`. */
  readonly endpoints: readonly string[];
}

/**
 * What callers may do. The snapshot contains it: the gateway enforces the same object from which the overview was
 * rendered, so the two cannot differ.
 */
export interface Policy {
  readonly limits: Limits;
  readonly permissions: readonly Permission[];
}

const hasPublicPlans = recordOf<Record<InterfacePlan, number>>({
  address: isNumber,
  user: isNumber,
  admin: isNumber,
});

function isByPlan(value: unknown): value is ByPlan {
  return hasPublicPlans(value) && Object.values(value).every(isNumber);
}

export const isLimits = recordOf<Limits>({ day: isByPlan, minute: eitherOf(isNumber, isByPlan) });

export const isPolicy = recordOf<Policy>({
  limits: isLimits,
  permissions: listOf(recordOf<Permission>({ name: isText, opens: isText, endpoints: listOf(isText) })),
});

/** The limits of the interface. */
export const DEFAULT_MINUTE = 30;
export const DEFAULT_LIMITS: Limits = {
  day: { address: 50, user: 100, admin: 1000 },
  minute: DEFAULT_MINUTE,
};

/** The policy for the given limits; permissions follow from the table of endpoints. */
export function policyFor(limits: Limits): Policy {
  const permissions = SCOPES.map((name) => ({
    name,
    opens: SCOPE_OPENS[name],
    endpoints: Object.values(ENDPOINTS)
      .filter(({ scope }) => scope === name)
      .map(({ path }) => endpointLabel(path)),
  }));
  return { limits, permissions };
}

/** `GET /posts`; `GET /` for the overview. @param path relative to the version prefix */
export function endpointLabel(path: string): string {
  return `GET ${path || '/'}`;
}
