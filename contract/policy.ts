import { ENDPOINTS, SCOPE_OPENS, SCOPES } from './api.ts';
import { eitherOf, isNumber, isText, listOf, recordOf } from './json.ts';

/** The kinds of caller, each with its own daily limit (interface, "Limits"). */
export type CallerKind = 'address' | 'user' | 'admin';

export interface Limits {
  /** Requests a UTC day, by kind of caller. */
  readonly day: Readonly<Record<CallerKind, number>>;
  /** Requests in any 60 seconds: for every caller, or by kind. */
  readonly minute: number | Readonly<Record<CallerKind, number>>;
}

/**
 * Means "no limit". The interface requires integers in headers, so callers see this number, and older gateways treat it
 * as an ordinary limit.
 */
export const NO_LIMIT = 2_147_483_647;

/** Requests in any 60 seconds for a kind of caller. */
export function minuteLimit({ minute }: Limits, kind: CallerKind): number {
  return typeof minute === 'number' ? minute : minute[kind];
}

/** Whether two limits are the same for a kind of caller. */
export function isSameLimit(one: Limits, other: Limits, kind: CallerKind): boolean {
  return one.day[kind] === other.day[kind] && minuteLimit(one, kind) === minuteLimit(other, kind);
}

/** Whether a kind of caller has no limit at all. Such callers are not counted. */
export function isUnlimited(limits: Limits, kind: CallerKind): boolean {
  return limits.day[kind] === NO_LIMIT && minuteLimit(limits, kind) === NO_LIMIT;
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

const isByKind = recordOf<Limits['day']>({ address: isNumber, user: isNumber, admin: isNumber });

export const isLimits = recordOf<Limits>({ day: isByKind, minute: eitherOf(isNumber, isByKind) });

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
