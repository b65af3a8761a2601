/**
 * A real Chromium.
 */
import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

const isThere = existsSync(CHROMIUM);
const missing = `there is no Chromium at ${CHROMIUM}; apt-get install chromium, or name another by CHROMIUM`;

/** Whether to run tests in a browser: if it is installed, and always in CI. */
export const HAS_BROWSER = isThere || process.env['CI'] !== undefined;

/**
 * Starts Chromium, which can only reach this machine.
 *
 * @throws Error if Chromium is not installed
 */
export function startBrowser(): Promise<Browser> {
  if (!isThere) throw new Error(`Tests in a browser must run here, but ${missing}.`);
  const args = ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', '--disable-dev-shm-usage'];
  args.push('--disable-gpu', '--disable-software-rasterizer'); // There is no GPU, and emulating one is slow.
  if (process.getuid?.() === 0) args.push('--no-sandbox');
  return chromium.launch({ executablePath: CHROMIUM, args, timeout: 60_000 });
}

/** A new page, which a busy machine must not fail. */
export async function openPage(browser: Browser, options?: BrowserContextOptions): Promise<Page> {
  const page = await browser.newPage(options);
  page.setDefaultTimeout(100_000);
  return page;
}

/** A page that tests share, because a new page would cost more than most tests. */
export interface SharedPage {
  readonly page: Page;
  /** Resets the page: empty, without listeners, storage or cache. */
  renew(origin: string, options?: Pick<BrowserContextOptions, 'colorScheme' | 'viewport'>): Promise<Page>;
}

const VIEWPORT = { width: 1280, height: 900 };

export async function openSharedPage(browser: Browser): Promise<SharedPage> {
  const page = await openPage(browser, { viewport: VIEWPORT });
  const devtools = await page.context().newCDPSession(page);
  return {
    page,
    async renew(origin, { colorScheme = null, viewport } = {}) {
      page.removeAllListeners();
      await page.goto('about:blank');
      await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
      await devtools.send('Network.clearBrowserCache');
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(viewport ?? VIEWPORT);
      return page;
    },
  };
}
