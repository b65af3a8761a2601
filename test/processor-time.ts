import { afterEach, beforeEach, expect } from 'vitest';

/**
 * Fails each following test that takes more processor time: work that grows with the square of its input takes far more.
 * Other programs on a busy machine do not count.
 *
 * @param seconds of this process, several times what a test needs
 */
export function boundProcessorTime(seconds: number): void {
  let before = process.cpuUsage();
  beforeEach(() => {
    before = process.cpuUsage();
  });
  afterEach(() => {
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6, 'seconds of processor time').toBeLessThan(seconds);
  });
}
