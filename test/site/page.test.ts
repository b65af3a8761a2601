/** The page at `/`, in a real browser. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { renderPage } from '../../build/page/page.ts';
import { sampleBlog } from '../service/blogs.ts';
import type { CreatedKey, Service } from '../service/home.ts';
import { nodeHome } from '../service/node-home.ts';
import { HAS_BROWSER, startBrowser } from '../service/browser.ts';

const TIMEOUT_MS = 600_000;
const SITE = { name: 'Ink & <Paper>', url: 'https://press.example' };
const LIMITS = { day: { address: 5000, user: 6000 }, minute: 4000 };
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const SIZES = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } } as const;
/** Each colour scheme and each size once. */
const LOOKS = [
  { colorScheme: 'light', size: 'desktop', background: 'rgb(251, 250, 246)' },
  { colorScheme: 'dark', size: 'phone', background: 'rgb(23, 22, 20)' },
] as const;

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string;
    readonly nodes: readonly { readonly target: readonly string[]; readonly html: string }[];
  }[];
}

describe('what the page says of a key', () => {
  const said = (address: number, user: number) => {
    const file = '/docs/x';
    const names = ['scalar.js', 'page.js', 'page.css', 'icon.svg'] as const;
    const addresses = new Map(names.map((name) => [name, file]));
    const limits = { day: { address, user, admin: 9000 }, minute: 30 };
    const html = renderPage({ site: 'A blog', apiUrl: undefined, limits, addresses });
    return /<section id="key".*?<p>(.*?) Ask the operator/s.exec(html)?.[1]?.replaceAll('\n', ' ');
  };

  test.each([
    [50, 100, 'A key raises your daily limit from 50 requests to 100.'],
    [50, 51, 'A key raises your daily limit from 50 requests to 51.'],
    [100, 100, /^Requests with a key count .*: 100 a day\. An address without a key has as many\.$/],
    [5000, 100, /^Requests with a key count .*: 100 a day\. An address without a key has 5,000\.$/],
  ])('is true for %d requests without one and %d with it', (address, user, expected) => {
    expect(said(address, user)).toEqual(
      typeof expected === 'string' ? expected : expect.stringMatching(expected),
    );
  });
});

describe.skipIf(!HAS_BROWSER)('the page', () => {
  let browser: Browser;
  let service: Service;
  let key: CreatedKey;
  let page: Page;
  /** What should not have happened while the page was open. */
  let faults: string[] = [];

  beforeAll(async () => {
    browser = await startBrowser();
    service = await nodeHome.serve(await sampleBlog(), { limits: LIMITS, site: SITE });
    key = await service.createKey({ account: 'ada', name: 'my site' });
  }, TIMEOUT_MS);
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });
  afterEach(async () => {
    await page.context().close();
    expect(faults).toEqual([]);
  });

  const open = async (options: BrowserContextOptions = {}) => {
    faults = [];
    const context = await browser.newContext({ viewport: SIZES.desktop, ...options });
    context.setDefaultTimeout(100_000); // A busy machine decides no test.
    page = await context.newPage();
    page.setDefaultTimeout(100_000);
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
    });
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(`${service.url}/`) && !/^(?:data|blob):/.test(url)) faults.push(`asked for ${url}`);
    });
    await page.goto(`${service.url}/`);
    if (options.javaScriptEnabled !== false) await page.waitForSelector('.scalar-api-reference');
  };
  /** Scrolls through the page, so that what is made only when seen is made. */
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
      .toBe(8);
  };

  /** What axe-core finds in a part of the page that keeps people out. */
  const seriousFaults = async (selector: string): Promise<string[]> => {
    await page.evaluate(AXE);
    const options = { resultTypes: ['violations'] };
    const call = `axe.run(${JSON.stringify(selector)}, ${JSON.stringify(options)})`;
    const { violations }: AxeResults = await page.evaluate(call);
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) =>
        nodes.map(({ target, html }) => `${id}: ${target.join(' ')}: ${html.slice(0, 200)}`),
      );
  };

  describe.each(LOOKS)('in $colorScheme on a $size', ({ colorScheme, size, background }) => {
    test(
      'has no serious fault of accessibility, and fits',
      async () => {
        await open({ colorScheme, viewport: SIZES[size] });
        if (size === 'desktop') await seeAll();
        expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(background);
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(
          0,
        );

        expect(await seriousFaults('body')).toEqual([]);
      },
      TIMEOUT_MS,
    );
  });

  /** Opens the client of one endpoint, sends, and gives what its right half shows. */
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

  test(
    'a call from it answers without a key and with one, and shows the quota',
    async () => {
      await open();
      await seeAll();
      const client = await tryIt('List articles');
      await client.getByText('200 OK').waitFor();
      await client.getByRole('button', { name: /Response Headers/ }).click();
      for (const name of ['Limit', 'Used', 'Remaining', 'Reset']) {
        await client.getByText(`X-Quota-${name}`, { exact: true }).waitFor();
      }
      expect(await page.textContent('#quota')).toMatch(/^4\d\d\d of 5000 requests left today$/);
      expect(await seriousFaults('[role=dialog]')).toEqual([]);

      await page.keyboard.press('Escape');
      await client.waitFor({ state: 'hidden' });
      await tryIt('Read your key and quota', key.key);
      await client.getByText(key.prefix).first().waitFor();
      expect(await page.textContent('#quota')).toMatch(/^5\d\d\d of 6000 requests left today$/);
    },
    TIMEOUT_MS,
  );

  test(
    'says where it is, and the limits in force',
    async () => {
      await open();
      expect(await page.textContent('.address code')).toBe(`${service.url}/api/public/v1`);
      const cells = await page.locator('#limits td').allTextContents();
      expect(cells).toEqual(['5,000', '4,000', '6,000', '4,000', '1,000', '4,000']);
      expect(await page.title()).toBe('Ink & <Paper>: Offprint Public API');
    },
    TIMEOUT_MS,
  );

  test(
    'has tabs that the keyboard moves, and colours that the reader can change',
    async () => {
      await open({ colorScheme: 'light' });
      await page.getByRole('tab', { name: 'curl' }).press('ArrowRight');
      expect(await page.getByRole('tabpanel', { name: 'JavaScript' }).isVisible()).toBe(true);
      expect(await page.locator('#first-0').isVisible()).toBe(false);
      await page.getByRole('button', { name: 'Dark colours' }).click();
      expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
      await page.reload();
      await page.getByRole('button', { name: 'Light colours' }).waitFor();
    },
    TIMEOUT_MS,
  );

  test(
    'can be read without scripts',
    async () => {
      await open({ javaScriptEnabled: false });
      for (const language of ['curl', 'JavaScript', 'PHP', 'Python']) {
        expect(await page.locator('figure', { hasText: language }).first().isVisible(), language).toBe(true);
      }
    },
    TIMEOUT_MS,
  );

  test(
    'shows code that works',
    async () => {
      await open();
      const run = promisify(execFile);
      const ran: string[] = [];
      for (const [language, command, ...options] of [
        ['curl', 'sh', '-c'],
        ['JavaScript', process.execPath, '--input-type=module', '-e'],
        ['Python', 'python3', '-c'],
        ['PHP', 'php', '-r'],
      ] as const) {
        const found = await run('sh', ['-c', `command -v ${command}`]).catch(() => null);
        if (found === null) continue; // Without an interpreter there is nothing to run it with.
        const shown = await page.locator(`[data-title="${language}"] code`).textContent();
        const code = (shown ?? '').replaceAll('YOUR_KEY', key.key).replace(/^<\?php/, '');
        const { stdout } = await run(command, [...options, code], { timeout: 120_000 });
        expect(stdout, language).toContain('https://press.example/posts/');
        ran.push(language);
      }
      expect(ran).toEqual(expect.arrayContaining(['curl', 'JavaScript']));
    },
    TIMEOUT_MS,
  );
});
