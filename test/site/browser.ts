import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const CHROMIUM = '/usr/bin/chromium';

/**
 * Whether browser tests shall run: where Chromium is, and where continuous integration says so, so that
 * they fail there, and are not passed over, should it be missing.
 */
export const HAS_BROWSER = existsSync(CHROMIUM) || process.env['CI'] === 'true';

if (!HAS_BROWSER) console.warn(`The browser tests are skipped: there is no ${CHROMIUM}.`);

/** @throws Error where there is no Chromium */
export function openBrowser(): Promise<Browser> {
  if (!existsSync(CHROMIUM)) {
    throw new Error(`Browser tests need ${CHROMIUM}: apt-get install chromium.`);
  }
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'], timeout: 60_000 });
}
