import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Why tests in a browser are skipped here, or null where they run. In continuous integration they must. */
export const noBrowser: string | null =
  existsSync(CHROMIUM) || process.env['CI'] !== undefined
    ? null
    : `there is no Chromium at ${CHROMIUM}; apt-get install chromium, or name another by CHROMIUM`;

/** @throws Error where there is no Chromium */
export function startBrowser(): Promise<Browser> {
  if (!existsSync(CHROMIUM)) throw new Error(`There is no Chromium at ${CHROMIUM}.`);
  const offline = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1';
  const args = [offline, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];
  return chromium.launch({ executablePath: CHROMIUM, args });
}
