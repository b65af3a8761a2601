/**
 * The command `usage`: counts of a running gateway, on the terminal, as JSON and as a report.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { usageHtml } from '../../../cli/usage/html.ts';
import { summarise } from '../../../cli/usage/summary.ts';
import type { UsageCount } from '../../../cli/usage/usage-log.ts';
import { accessibilityFindings } from '../../service/accessibility.ts';
import { HAS_BROWSER, openPage, startBrowser } from '../../service/browser.ts';
import { oddBlog } from '../../service/blogs.ts';
import { send } from '../../service/client.ts';
import { answerOf, offprintInProcess } from '../../service/in-process.ts';
import type { CreatedKey, Service } from '../../service/home.ts';
import { nodeHome } from '../../service/node-home.ts';
import { lacks } from '../../lacks.ts';

const PREFIX = '/api/public/v1';

describe('of a gateway', () => {
  let service: Service;
  let key: CreatedKey;

  beforeAll(async () => {
    service = await nodeHome.serve(await oddBlog(), { limits: { day: { user: 4 } } });
    key = await service.createKey({ account: '<ada> & co', name: 'k', scopes: ['blog:read'] });
  });
  afterAll(() => service?.close());

  const out = () => join(service.folder, 'out');
  const usage = () => answerOf(['usage', '--out', out()]);
  const ask = (path: string, headers = {}, method = 'GET') =>
    send(service.url, { method, path: PREFIX + path, headers });

  it('shows who requested what while it serves, and after a kill -9', async () => {
    const mine = { authorization: `Bearer ${key.key}` };
    const { header } = await ask('/posts', mine);
    await ask('/posts', { ...mine, 'if-none-match': header('etag') ?? '' });
    await ask('/tags', mine); // 403
    await ask('/posts?page=x', mine); // 400
    await ask('/posts', mine); // 429
    await ask('/posts', service.from('203.0.113.7'));
    await ask('/none', service.from('203.0.113.8'));
    await ask('/me', { 'x-api-key': 'opk_not-one' }); // 401
    await ask('/posts', {}, 'OPTIONS');
    await send(service.url, { path: '/elsewhere' });

    const expected = {
      requests: 8,
      accounts: [
        { account: '<ada> & co', requests: 5, answered: 1, unchanged: 1, refused: 2, limited: 1, failed: 0 },
        { account: null, requests: 3, answered: 1, unchanged: 0, refused: 2, limited: 0, failed: 0 },
      ],
      endpoints: [
        { name: 'posts', requests: 5 },
        { name: 'me', requests: 1 },
        { name: 'other', requests: 1 },
        { name: 'tags', requests: 1 },
      ],
      keys: [
        { key: key.prefix, account: '<ada> & co', requests: 5 },
        { key: null, account: null, requests: 3 },
      ],
    };
    await expect.poll(usage).toMatchObject(expected);
    await service.kill();
    expect(await usage()).toMatchObject(expected);
    await service.restart();
    expect(await usage()).toMatchObject(expected);
  });

  it('contains no address, key or search', async () => {
    const state = join(out(), 'state');
    const files = readdirSync(state).filter((name) => name.startsWith('usage.db'));
    expect(files.length).toBeGreaterThan(0);
    const text = files.map((name) => readFileSync(join(state, name), 'latin1')).join('');
    expect(text).toContain(key.prefix);
    for (const secret of ['203.0.113', 'address:', key.key, 'page=x', 'none'])
      expect(text).not.toContain(secret);
  });

  it('is a table on the terminal', async () => {
    const { stdout } = await offprintInProcess(['usage', '--out', out()]);
    expect(stdout).toMatch(/^day +account +requests +answered +unchanged +refused +limited +failed\n/);
    expect(stdout).toMatch(/^\d{4}-\d\d-\d\d {2}<ada> & co +5 +1 +1 +2 +1$/m);
    expect(stdout).toContain('(without a key)');
  });

  it('has what one key was used for, with --key', async () => {
    const of = await answerOf(['usage', '--out', out(), '--key', key.key]);
    expect(of).toMatchObject({
      requests: 5,
      accounts: [{ account: '<ada> & co', requests: 5, limited: 1 }],
      endpoints: [
        { name: 'posts', requests: 4 },
        { name: 'tags', requests: 1 },
      ],
    });
    const { stdout } = await offprintInProcess(['usage', '--out', out(), '--key', key.prefix]);
    expect(stdout).toMatch(/^posts +4\ntags +1$/m);
    expect(stdout).not.toContain('(without a key)');
  });

  it('is a file with --html', async () => {
    const file = join(service.folder, 'usage.html');
    const { code, stdout } = await offprintInProcess(['usage', '--out', out(), '--html', file]);
    expect(code).toBe(0);
    expect(stdout).toContain('8 requests');
    const html = readFileSync(file, 'utf8');
    expect(html).toContain('&lt;ada&gt; &amp; co');
    // It may be sent to others, so it names the blog, but no path of this machine.
    expect(html).toContain('<span dir="auto">Odd &amp; &quot;hard&quot; &lt;blog&gt;</span>');
    expect(html).not.toContain(service.folder);
    const nowhere = ['usage', '--out', out(), '--html', join(service.folder, 'no/such/x.html')];
    const failed = await offprintInProcess(nowhere);
    expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining('--html')]);
  });

  it('needs a valid number of days', async () => {
    for (const days of ['0', '401', 'many'])
      expect((await offprintInProcess(['usage', '--out', out(), '--days', days])).code).toBe(2);
  });

  it('without requests is empty, and no error', async () => {
    const empty = join(service.folder, 'empty');
    mkdirSync(empty);
    const { code, stdout } = await offprintInProcess(['usage', '--out', empty]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('No requests were recorded')]);
    mkdirSync(join(empty, 'state'));
    writeFileSync(join(empty, 'state', 'usage.db'), ''); // The disk was full at the first count.
    expect(await offprintInProcess(['usage', '--out', empty])).toEqual({ code, stdout, stderr: '' });
    expect(await offprintInProcess(['usage', '--out', empty, '--key', 'opk_typo0000'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/only the key opk_typo0000\. .*keys list shows all keys/),
    });
    // Nothing is published there, so the report names no blog.
    const report = ['usage', '--out', empty, '--html', join(service.folder, 'empty.html')];
    expect(await offprintInProcess(report)).toMatchObject({ code: 0, stderr: '' });
    expect((await offprintInProcess(['usage', '--out', join(service.folder, 'typo')])).code).toBe(1);
  });
});

/** In the page: where elements begin and end, from the left. */
const horizontally = (elements: readonly { getBoundingClientRect(): { left: number; right: number } }[]) =>
  elements.map((element) => {
    const { left, right } = element.getBoundingClientRect();
    return { left, right, middle: (left + right) / 2 };
  });

const TODAY = 20_778;
const HOSTILE = '<img src=x onerror=alert(1)>';
const COUNTS: UsageCount[] = [
  { day: TODAY, account: 'ada', key: 'opk_1', endpoint: 'posts', status: 200, requests: 1200 },
  { day: TODAY - 1, account: 'ada', key: 'opk_2', endpoint: 'post', status: 404, requests: 30 },
  { day: TODAY - 1, account: '', key: '', endpoint: 'posts', status: 429, requests: 4 },
  { day: TODAY - 1, account: HOSTILE, key: 'opk_3', endpoint: 'me', status: 500, requests: 2 },
  { day: TODAY - 9, account: 'too early', key: 'opk_4', endpoint: 'me', status: 200, requests: 9 },
];

const LOOKS = (['light', 'dark'] as const).flatMap((scheme) =>
  [1440, 390].map((width) => [scheme, width] as const),
);

describe('a summary', () => {
  const summary = summarise(COUNTS, TODAY, 3);

  it('has exactly the requested days, including those without a request', () => {
    expect(summary.days.map(({ day, requests }) => [day, requests])).toEqual([
      ['2026-11-19', 0],
      ['2026-11-20', 36],
      ['2026-11-21', 1200],
    ]);
    expect(summary).toMatchObject({ from: '2026-11-19', to: '2026-11-21', requests: 1236 });
  });

  it('lists the newest and the busiest first', () => {
    expect(summary.accounts.map(({ day, account }) => `${day} ${account}`)).toEqual([
      ...['2026-11-21 ada', '2026-11-20 ada', '2026-11-20 null'],
      `2026-11-20 ${HOSTILE}`,
    ]);
    expect(summary.keys.map(({ key }) => key)).toEqual(['opk_1', 'opk_2', null, 'opk_3']);
    expect(summary.statuses[0]).toEqual({ name: '200', requests: 1200 });
  });
});

describe('a report', () => {
  const html = usageHtml(summarise(COUNTS, TODAY, 30), 'My blog');

  it('contains a chart and rankings, runs no script and loads nothing', () => {
    expect(html.match(/<svg aria-hidden="true" focusable/g)).toHaveLength(1);
    expect(html.match(/<table class="ranking">/g)).toHaveLength(3);
    expect(html).toContain('<th scope="row"><bdi>posts</bdi></th><td class="n">1,204</td>');
    expect(html).toContain('<dt>Requests</dt><dd>1,245</dd>');
    expect(html).not.toMatch(/<script|<link|<img|@import|url\((?!#)|(?:src|href)="?http/i);
    expect(html).toContain("default-src 'none'");
    expect(html.length).toBeLessThan(100_000);
  });

  it('without requests says so', () => {
    expect(usageHtml(summarise([], TODAY, 30), 'My blog')).toContain('There were no requests');
  });

  const year = Array.from({ length: 365 * 48 }, (_, i): UsageCount => ({
    day: TODAY - (i % 365),
    account: `account ${i % 48}`,
    key: `opk_${i % 48}`,
    endpoint: 'posts',
    status: i % 2 === 0 ? 200 : 404,
    requests: 1 + (i % 7),
  }));

  it('of a year has each day, and no accounts by day, in a small file', () => {
    const text = usageHtml(summarise(year, TODAY, 365), null);
    expect(text.match(/<tr><td><bdi>\d{4}-\d\d-\d\d<\/bdi><\/td><td>\d/g)).toHaveLength(365);
    expect(text).not.toContain('By account and day');
    expect(text.length).toBeLessThan(400_000);
    expect(usageHtml(summarise(year, TODAY, 92), null)).toContain('By account and day');
  });

  it('folds all but the ten busiest keys', () => {
    const many = Array.from({ length: 14 }, (_, i): UsageCount => ({
      day: TODAY,
      account: `a${i}`,
      key: `opk_${i}`,
      endpoint: 'posts',
      status: 200,
      requests: 99 - i,
    }));
    const text = usageHtml(summarise(many, TODAY, 30), null);
    expect(text).toMatch(/opk_9<[^]*<summary>4 more<\/summary>[^]*opk_10</);
  });

  it.skipIf(lacks('Chromium', HAS_BROWSER)).each([
    ['of 30 days', html, 2],
    ['of a year', usageHtml(summarise(year, TODAY, 365), null), Infinity],
  ])('%s has no errors in a browser, light, dark and printed', async (_, report, printedPages) => {
    const browser = await startBrowser();
    try {
      const page = await openPage(browser);
      const errors: string[] = [];
      page.on('console', (message) => errors.push(message.text()));
      page.on('pageerror', (error) => errors.push(error.message));
      for (const [colorScheme, width] of LOOKS) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        await page.setContent(report);
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
        const chart = page.locator('section svg');
        // Dates have space between them, and the last one is of the last bar.
        const dates = (await chart.locator('text', { hasText: '-' }).evaluateAll(horizontally)).sort(
          (a, b) => a.left - b.left,
        );
        for (const [i, { left }] of dates.slice(1).entries())
          expect(left - (dates[i]?.right ?? left)).toBeGreaterThanOrEqual(4);
        const bars = await chart.locator('path[fill^="var(--"]').evaluateAll(horizontally);
        const last = bars.reduce((a, b) => (b.right > a.right ? b : a));
        expect(dates.at(-1)?.middle).toBeCloseTo(last.middle, -1);
        expect(await accessibilityFindings(page)).toEqual([]);
        expect(errors).toEqual([]);
      }
      // Printed in light colours, with folded parts left out.
      const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
      expect(pdf.match(/\/Type\s*\/Page\b/g)?.length).toBeLessThanOrEqual(printedPages);
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      expect(await page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(23, 26, 24)');
      expect(await page.locator('details').filter({ visible: true }).count()).toBe(0);
    } finally {
      await browser.close();
    }
  });
});
