import { ENDPOINTS, SCOPE_OPENS, SCOPES } from './api.ts';
import { isNumber, isText, listOf, recordOf } from './json.ts';

/** The kinds of caller that have daily limits of their own (interface, "Limits"). */
export type CallerKind = 'address' | 'user' | 'admin';

export interface Limits {
  /** Requests a UTC day, by kind of caller. */
  readonly day: Readonly<Record<CallerKind, number>>;
  /** Requests in any 60 seconds. */
  readonly minute: number;
}

export interface Permission {
  /** A Scope. A snapshot of a newer version may have others. */
  readonly name: string;
  readonly opens: string;
  /** As the overview lists them: `GET /posts/{slug}`. */
  readonly endpoints: readonly string[];
}

/**
 * What callers may do. It is part of the snapshot: the gateway enforces the very object from which
 * the overview was rendered, so the two cannot disagree.
 */
export interface Policy {
  readonly limits: Limits;
  readonly permissions: readonly Permission[];
}

export const isLimits = recordOf<Limits>({
  day: recordOf<Limits['day']>({ address: isNumber, user: isNumber, admin: isNumber }),
  minute: isNumber,
});

export const isPolicy = recordOf<Policy>({
  limits: isLimits,
  permissions: listOf(recordOf<Permission>({ name: isText, opens: isText, endpoints: listOf(isText) })),
});

/** The limits of the interface. */
export const DEFAULT_LIMITS: Limits = { day: { address: 50, user: 100, admin: 1000 }, minute: 30 };

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

/** `GET /posts`; the overview itself is `GET /`. The path is relative to the version prefix. */
export function endpointLabel(path: string): string {
  return `GET ${path || '/'}`;
}
