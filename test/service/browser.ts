/** A real Chromium, for what people see. */
import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

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
  args.push('--disable-gpu', '--disable-software-rasterizer'); // There is none here, and to imitate one is slow.
  if (process.getuid?.() === 0) args.push('--no-sandbox');
  return chromium.launch({ executablePath: CHROMIUM, args, timeout: 60_000 });
}

/** A page that tests use one after the other: a page of its own for each would cost more than most tests do. */
export interface SharedPage {
  readonly page: Page;
  /** Gives the page as a new one is: empty, unwatched, with nothing stored or cached of an origin. */
  renew(origin: string, options?: Pick<BrowserContextOptions, 'colorScheme' | 'viewport'>): Promise<Page>;
}

const VIEWPORT = { width: 1280, height: 900 };

export async function openSharedPage(browser: Browser): Promise<SharedPage> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  const page = await context.newPage();
  page.setDefaultTimeout(100_000); // A busy machine decides no test.
  const devtools = await context.newCDPSession(page);
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
