/**
 * Where a Worker's Durable Objects are created. The local runtime has one location only, so the calls are checked.
 */
import type { Environment } from '../../gateway/worker/environment.ts';
import { EnvironmentFaulty, getQuotaObjects } from '../../gateway/worker/environment.ts';
import { expect, test, vi } from 'vitest';

vi.mock('cloudflare:workers', () => ({ DurableObject: class {} }));

/** The calls of the binding for the object of a principal. */
function asked(variables: Partial<Environment>): unknown[] {
  const calls: unknown[] = [];
  const namespace = {
    jurisdiction: (name: string) => (calls.push(['jurisdiction', name]), namespace),
    idFromName: (name: string) => `id of ${name}`,
    get: (...call: unknown[]) => calls.push(['get', ...call]),
  };
  getQuotaObjects({ QUOTAS: namespace, ...variables } as unknown as Environment)('account:ada');
  return calls;
}

test.each([
  [{}, [['get', 'id of account:ada', undefined]]],
  [
    { QUOTAS_JURISDICTION: 'eu', QUOTAS_LOCATION: '' },
    [
      ['jurisdiction', 'eu'],
      ['get', 'id of account:ada', undefined],
    ],
  ],
  [{ QUOTAS_LOCATION: 'weur' }, [['get', 'id of account:ada', { locationHint: 'weur' }]]],
] as const)('%j', (variables, calls) => {
  expect(asked(variables)).toEqual(calls);
});

test('an unknown jurisdiction is named, with the known ones', () => {
  expect(() => asked({ QUOTAS_JURISDICTION: 'EU' })).toThrow(EnvironmentFaulty);
  expect(() => asked({ QUOTAS_JURISDICTION: 'EU' })).toThrow(/is "EU".*eu.*deploy again/);
});
