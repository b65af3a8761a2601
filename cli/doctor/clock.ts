import { statSync } from 'node:fs';
import { readLastBuild } from '../../build/output/last-build.ts';
import { type Finding, ok, warning } from './finding.ts';
import { type Installation, ownDatabases } from './installation.ts';
import { servedSnapshot } from './output.ts';

/** Harmless difference between two clocks. */
const TOLERANCE_MS = 300_000;

/** Whether timestamps are in the future: then the clock is wrong, or was. */
export function checkClock(installation: Installation): Finding[] {
  const { out, now } = installation;
  const times: readonly (readonly [string, number])[] = [
    ['the snapshot was built', Date.parse(servedSnapshot(out)?.built_at ?? '')],
    ['the last build was', Date.parse(readLastBuild(out).success?.at ?? '')],
    ...ownDatabases(installation).map((path) => [`${path} was written`, statSync(path).mtimeMs] as const),
  ];
  const [late] = times.filter(([, time]) => time > now.getTime() + TOLERANCE_MS);
  if (!late) return [ok(`this machine's clock says ${now.toISOString()}`)];
  const [what, time] = late;
  return [
    warning(
      `This machine's clock says ${now.toISOString()}, but ${what} at ${new Date(time).toISOString()}.`,
      'Set the clock (timedatectl set-ntp true). Scheduled articles and daily limits follow it.',
    ),
  ];
}
