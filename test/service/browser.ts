/** A real Chromium, for what people see. */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

const isThere = existsSync(CHROMIUM);
const missing = `there is no Chromium at ${CHROMIUM}; apt-get install chromium, or name another by CHROMIUM`;

/** Whether tests in a browser run: where there is one, and in continuous integration, where there must be. */
export const HAS_BROWSER = isThere || process.env['CI'] !== undefined;
if (!HAS_BROWSER) console.warn(`Tests in a browser are skipped: ${missing}.`);

/**
 * Starts it. It finds no host but this machine, whatever a page asks for.
 *
 * @throws Error where there is no Chromium
 */
export function startBrowser(): Promise<Browser> {
  if (!isThere) throw new Error(`Tests in a browser must run here, but ${missing}.`);
  const args = ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', '--disable-dev-shm-usage'];
  if (process.getuid?.() === 0) args.push('--no-sandbox');
  return chromium.launch({ executablePath: CHROMIUM, args, timeout: 60_000 });
}
