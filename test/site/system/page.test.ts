/** The page at `/`, in a real browser. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityFindings } from '../../service/accessibility.ts';
import { sampleBlog } from '../../service/blogs.ts';
import type { CreatedKey, Service } from '../../service/home.ts';
import { inProcessHome } from '../../service/in-process-home.ts';
import { HAS_BROWSER, openPage, startBrowser } from '../../service/browser.ts';
import { expectWorkingSnippets, recordFaults, runSnippet, snippetsOf } from '../snippets.ts';
import { lacks } from '../../lacks.ts';

const SITE = { name: 'Ink & <Paper>', url: 'https://press.example' };
const LIMITS = { day: { address: 5000, user: 6000 }, minute: 4000 };

/** An address within the reference. */
const REFERENCE = '#tag/articles/GET/posts';
const SIZES = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const;

describe.skipIf(lacks('Chromium', HAS_BROWSER))('the page', () => {
  let browser: Browser;
  let service: Service;
  let key: CreatedKey;
  let page: Page;
  /** Errors while the page was open. */
  const faults: string[] = [];
  /** Compressed bytes of everything that it loaded. */
  let bytes = 0;

  beforeAll(async () => {
    browser = await startBrowser();
    service = await inProcessHome.serve(await sampleBlog(), { limits: LIMITS, site: SITE });
    key = await service.createKey({ account: 'ada', name: 'my site' });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });
  afterEach(() => expect(faults.splice(0)).toEqual([]));

  const open = async (options: BrowserContextOptions) => {
    bytes = 0;
    page = await openPage(browser, options);
    recordFaults(page, `${service.url}/`, faults);
    page.on('response', (response) => {
      bytes += Number(response.headers()['content-length'] ?? 1e9);
    });
    await page.addInitScript(`
      window.shift = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) window.shift += entry.value;
      }).observe({ type: 'layout-shift', buffered: true });
    `);
    await page.goto(`${service.url}/`);
  };
  /** Scrolls through the page, so that lazy parts are rendered. */
  const seeAll = async () => {
    const operations = page.locator('#reference').getByRole('button', { name: 'Test Request' });
    await expect
      .poll(async () => {
        await page.evaluate('scrollTo(0, 0)');
        for (let step = 0; step < 40; step += 1) {
          await page.mouse.wheel(0, 700);
          await page.evaluate('new Promise(requestAnimationFrame)');
        }
        return operations.count();
      })
      .toBe(9);
  };

  const expectAccessible = async (background: string) => {
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(background);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    expect(await accessibilityFindings(page)).toEqual([]);
  };

  /** Opens the client of one endpoint, sends a request, and returns the text of its right half. */
  const tryIt = async (summary: string, token?: string) => {
    const section = page.locator('section').filter({ has: page.getByRole('heading', { name: summary }) });
    await section.last().getByRole('button', { name: 'Test Request' }).click();
    const client = page.getByRole('dialog');
    if (token !== undefined) {
      await client.getByLabel('Bearer Token').fill(token);
    }
    await client.locator('[data-addressbar-action=send]').filter({ visible: true }).first().click();
    return client;
  };

  test.each([
    ['light', 'desktop'],
    ['dark', 'desktop'],
    ['light', 'phone'],
    ['dark', 'phone'],
  ] as const)(
    'is accessible and small, and has no layout shifts until the reference is opened: %s, %s',
    async (colorScheme, size) => {
      await open({ colorScheme, viewport: SIZES[size] });
      await expectAccessible(colorScheme === 'light' ? 'rgb(252, 252, 250)' : 'rgb(16, 20, 19)');
      expect(await page.evaluate('window.shift')).toBe(0);
      const hidden =
        "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.address pre'))";
      expect(await page.evaluate(hidden), 'hidden part of the address').toBeLessThanOrEqual(0);
      expect(bytes).toBeLessThan(300_000);
      if (size === 'phone') {
        await page.getByRole('button', { name: 'Contents' }).click();
        expect(await accessibilityFindings(page)).toEqual([]);
      }
      await page.context().close();
    },
  );

  // The reference takes seconds to load, so these tests share one page, in this order.
  describe('in light on a desktop', () => {
    afterAll(() => page.context().close());

    test('moves the focus to the reference when its link opens it, is accessible with it, and fits', async () => {
      await open({ colorScheme: 'light', viewport: SIZES.desktop });
      await page.getByRole('link', { name: 'Open the reference' }).press('Enter');
      await page.waitForSelector('.scalar-api-reference');
      await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('reference');
      await seeAll();
      await expectAccessible('rgb(252, 252, 250)');
    });

    test('has its address, and the current limits', async () => {
      expect(await page.textContent('.address code')).toBe(`${service.url}/api/public/v1`);
      const cells = await page.locator('#limits td').allTextContents();
      expect(cells).toEqual(['5,000', '4,000', '6,000', '4,000', '1,000', '4,000']);
      expect(await page.title()).toBe('Ink & <Paper>: Offprint Public API');
    });

    test('shows working code', async () => {
      await expectWorkingSnippets(page, 'https://press.example/posts/', key.key);
      for (const snippet of await snippetsOf(page, 'first-call')) {
        const said = runSnippet(snippet).catch((error: unknown) => JSON.stringify(error) + String(error));
        expect(await said, snippet.language).toContain('This API key is not valid.');
      }
    });

    test('requests sent from it are answered without a key and with one', async () => {
      const client = await tryIt('List articles');
      await client.getByText('200 OK').waitFor();
      await client.getByRole('button', { name: /Response Headers/ }).click();
      for (const name of ['Limit', 'Used', 'Remaining', 'Reset']) {
        await client.getByText(`X-Quota-${name}`, { exact: true }).waitFor();
      }
      expect(await accessibilityFindings(page)).toEqual([]);

      await page.keyboard.press('Escape');
      await client.waitFor({ state: 'hidden' });
      await expect.poll(() => page.evaluate('document.activeElement.textContent')).toContain('Test Request');
      await tryIt('Read your key and quota', key.key);
      await client.getByText(key.prefix).first().waitFor();
      await page.keyboard.press('Escape');
      await client.waitFor({ state: 'hidden' });
    });

    test('has languages that can be selected by keyboard, and addresses in its reference', async () => {
      await page.locator('summary', { hasText: 'JavaScript' }).first().press('Enter');
      expect(await page.locator('#first-call [data-title=JavaScript] code').isVisible()).toBe(true);
      expect(await page.locator('#first-call [data-title=curl] code').isVisible()).toBe(false);
      await page.evaluate(`history.replaceState(null, '', '${REFERENCE}')`);
      await page.reload({ waitUntil: 'commit' });
      await page.waitForSelector('.scalar-api-reference');
    });
  });

  test('has contents on a dark phone that lead to the reference without layout shifts, and is accessible, also with a request', async () => {
    await open({ colorScheme: 'dark', viewport: SIZES.phone });
    const place = () => page.locator('#limits').evaluate((element) => element.getBoundingClientRect().x);
    const before = await place();
    expect(await page.locator('#menu').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Contents' }).click();
    await page.getByRole('link', { name: 'List tags' }).first().click();
    expect(await page.locator('#menu').isVisible()).toBe(false);
    await page.waitForSelector('.scalar-api-reference');
    await page.getByRole('heading', { name: 'List tags' }).waitFor();
    expect(await place()).toBe(before);
    await expectAccessible('rgb(16, 20, 19)');
    await seeAll();
    const client = await tryIt('List articles');
    await client.getByText('200 OK').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    const { x, y } = (await client.getByText('200 OK').boundingBox()) ?? { x: -1, y: -1 };
    const atStatus = await page.evaluate(`document.elementFromPoint(${x + 5}, ${y + 5}).textContent`);
    expect(atStatus).toContain('200 OK'); // Not below the fold, and nothing covers it.
    await page.context().close();
  });

  test('is readable without scripts', async () => {
    await open({ javaScriptEnabled: false, viewport: SIZES.desktop });
    for (const language of ['JavaScript', 'PHP', 'Python', 'curl']) {
      await page.getByText(language, { exact: true }).first().click();
      expect(await page.locator(`#first-call [data-title=${language}] code`).isVisible(), language).toBe(
        true,
      );
    }
    await page.setViewportSize(SIZES.phone);
    await page.getByRole('button', { name: 'Contents' }).click();
    await page.getByRole('link', { name: 'List tags' }).first().click();
    expect(await page.locator('.listed code', { hasText: '/tags' }).isVisible()).toBe(true);
    await page.context().close();
  });
});
