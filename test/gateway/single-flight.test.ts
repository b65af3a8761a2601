import { expect, onTestFinished, test, vi } from 'vitest';
import type { MaybePromise } from '../../gateway/maybe-promise.ts';
import { once, type Sharing, SingleFlight } from '../../gateway/single-flight.ts';
import { SHARING } from '../../gateway/worker/sharing.ts';

vi.mock('cloudflare:workers', () => ({ waitUntil: () => undefined }));

/** A platform where work is looked at, and where the test says when a waiting request gives up. */
function platform() {
  const kept: Promise<unknown>[] = [];
  let isPatient = true;
  const sharing: Sharing = {
    keep: (work) => void kept.push(work),
    async wait(isOver) {
      while (!isOver() && isPatient) await new Promise((resolve) => setImmediate(resolve));
    },
  };
  return { sharing, kept, giveUp: () => void (isPatient = false) };
}

test('requests that may not wait for the same promise get its result, or its failure', async () => {
  const { sharing, kept } = platform();
  const flights = new SingleFlight<number>(sharing);
  const { promise, resolve } = Promise.withResolvers<number>();
  const run = async (work: () => MaybePromise<number>) => flights.run('a', work);
  const first = run(() => promise);
  const second = run(() => 2);
  expect(kept).toEqual([promise]);
  resolve(1);
  expect(await Promise.all([first, second])).toEqual([1, 1]);
  expect(flights.run('a', () => 3)).toBe(3);

  const failing = Promise.withResolvers<number>();
  const replies = [run(() => failing.promise), run(() => 2)];
  failing.reject(new Error('not now'));
  for (const { status } of await Promise.allSettled(replies)) expect(status).toBe('rejected');
  expect(flights.run('a', () => 3)).toBe(3);
});

test('a request that has waited in vain does the work itself, once for all who wait', async () => {
  const { sharing, giveUp } = platform();
  const flights = new SingleFlight<number>(sharing);
  const { promise: hung, resolve: end } = Promise.withResolvers<number>();
  const first = flights.run('a', () => hung);
  let made = 0;
  const make = async () => (made += 1);
  const others = [flights.run('a', make), flights.run('a', make)];
  giveUp();
  expect(await others[0]).toBe(1);
  expect(await others[1]).toBeGreaterThan(0);
  end(7);
  expect(await first).toBe(7);
});

test('a request in a Worker waits for three seconds at most, and not after the end', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const ended: string[] = [];
  let isOver = false;
  void SHARING.wait(() => false).then(() => ended.push('in vain'));
  void SHARING.wait(() => isOver).then(() => ended.push('over'));
  await vi.advanceTimersByTimeAsync(2900);
  expect(ended).toEqual([]);
  isOver = true;
  await vi.advanceTimersByTimeAsync(50);
  expect(ended).toEqual(['over']);
  await vi.advanceTimersByTimeAsync(150);
  expect(ended).toEqual(['over', 'in vain']);
});

test('a value is made once, and again after a failure', async () => {
  let made = 0;
  const make = once(async () => {
    made += 1;
    if (made === 1) throw new Error('not yet');
    return made;
  });
  const get = async () => make();
  const failures = await Promise.allSettled([get(), get()]);
  expect(failures.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await Promise.all([get(), get()])).toEqual([2, 2]);
  expect(make()).toBe(2);
});
