import { describe, expect, test } from 'vitest';
import { isWorthRetrying, retryDelay } from '../../../common/bucket/retry.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const policy = { tries: 4, baseMs: 100, capMs: 300 };
const longest = () => 1;
const none = () => 0;

describe('the wait before a retry', () => {
  test('doubles up to a cap, and ends', () => {
    const waits = [1, 2, 3, 4].map((failures) => retryDelay(policy, failures, undefined, NOW, longest));
    expect(waits).toEqual([100, 200, 300, undefined]);
    expect(retryDelay(policy, 2, undefined, NOW, () => 0.25)).toBe(50);
  });

  test('is never shorter than the service asks for', () => {
    expect(retryDelay(policy, 1, '7', NOW, none)).toBe(7000);
    expect(retryDelay(policy, 1, 'Sat, 21 Nov 2026 12:00:05 GMT', NOW, none)).toBe(5000);
    expect(retryDelay(policy, 1, '7', NOW, longest)).toBe(7100);
    expect(retryDelay(policy, 1, 'Sat, 21 Nov 2026 11:00:00 GMT', NOW, none)).toBe(0);
    expect(retryDelay(policy, 1, 'soon', NOW, none)).toBe(0);
  });

  test('ends if the service asks for a very long wait', () => {
    expect(retryDelay(policy, 1, '120', NOW, none)).toBe(120_000);
    expect(retryDelay(policy, 1, '3600', NOW, none)).toBeUndefined();
  });
});

test('errors of the service are retried, errors of the request are not', () => {
  expect([408, 409, 429, 500, 502, 503, 504].every(isWorthRetrying)).toBe(true);
  expect([200, 301, 400, 401, 403, 404, 405, 412, 501].some(isWorthRetrying)).toBe(false);
});
