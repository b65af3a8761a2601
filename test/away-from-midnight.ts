import type { TestProject } from 'vitest/node';

/** Longer than a whole run takes, by project, on a slow machine. */
const RUN_MINUTES: Readonly<Record<string, number>> = { system: 10, thorough: 25 };

/** Starts a run after midnight (UTC) if it could last until then: quotas of a day are reset, and usage is of two days. */
export default async function setup({ vitest }: TestProject): Promise<void> {
  if (vitest.config.watch) return;
  await awayFromMidnight(Math.max(...vitest.projects.map(({ name }) => RUN_MINUTES[name] ?? 0)));
}

/** Waits until after midnight (UTC) if it is less than `minutes` away. */
export async function awayFromMidnight(minutes: number): Promise<void> {
  const left = 86_400_000 - (Date.now() % 86_400_000);
  if (left >= minutes * 60_000) return;
  console.log(`Waiting ${Math.ceil(left / 60_000)} minutes for midnight (UTC), when quotas are reset.`);
  await new Promise((resolve) => setTimeout(resolve, left + 1000));
}
