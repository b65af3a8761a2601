/**
 * A reader's browser: real Chromium, in which an article must not do anything by itself.
 */
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { isEmbed } from '../../build/html/address.ts';
import { HTML_POLICY } from '../../build/html/policy.ts';

export interface Reader {
  /** For tests with checks of their own. */
  readonly page: Page;
  /**
   * Shows each text in two ways, inserted by a script and as part of a document, and returns the violations. Images
   * may load from anywhere, but from `/never` only if allowed.
   */
  show(texts: readonly string[], pictures?: 'from anywhere'): Promise<Breach[]>;
  /** Only inserts each text by a script. */
  insert(texts: readonly string[]): Promise<Breach[]>;
  close(): Promise<void>;
}

export interface Breach {
  /** Index of the text; -1: somewhere in the batch, found by what was loaded. */
  readonly index: number;
  readonly faults: readonly string[];
}

const SITE = 'https://reader.example';
/** Number of texts shown at once. */
const BATCH = 250;

interface InPage {
  readonly reader: {
    readonly ran: string[];
    faultsIn(root: unknown, policy: unknown): string[];
    insert(html: string, policy: unknown): string[];
  };
}

const POLICY = {
  ...HTML_POLICY,
  styles: [
    // A part of `white-space`.
    'text-wrap-mode',
    ...Object.keys(HTML_POLICY.styles),
  ],
};

/** Opens a browser with its own profile. */
export async function openReader(browser: Browser): Promise<Reader> {
  const context = await browser.newContext({ serviceWorkers: 'block' });
  await context.addInitScript({ path: fileURLToPath(new URL('in-the-page.js', import.meta.url)) });
  await context.exposeBinding('tell', (_, song: unknown) => void happenings.push(`runs ${String(song)}`));
  const page = await context.newPage();
  let happenings: string[] = [];
  let neverMatters = true;
  let shown = '';
  await context.route('**', async (route) => {
    const request = route.request();
    const type = request.resourceType();
    const url = request.url();
    if (url === `${SITE}/` && request.frame() === page.mainFrame()) {
      await route.fulfill({ contentType: 'text/html; charset=utf-8', body: shown });
      return;
    }
    const isFrame = type === 'document' && isEmbed(url, HTML_POLICY.embeds);
    // Images and sound may come from anywhere; nothing may request /never/.
    const mayLoad =
      (isFrame || type === 'image' || type === 'media') && !(neverMatters && url.includes('/never'));
    if (!mayLoad) happenings.push(`loads ${type} ${url}`);
    await route.abort();
  });
  page.on('dialog', (dialog) => {
    happenings.push(`opens a ${dialog.type()}`);
    void dialog.dismiss();
  });
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame() && !frame.url().startsWith(`${SITE}/`))
      happenings.push(`goes to ${frame.url()}`);
  });

  async function document(body: string): Promise<string[]> {
    shown = `<!DOCTYPE html><meta charset="utf-8"><title>Reader</title><body>${body}`;
    await page.goto(`${SITE}/`, { waitUntil: 'domcontentloaded' });
    return page.evaluate((policy) => {
      const {
        reader,
        document: { body },
      } = globalThis as unknown as InPage & { document: { body: unknown } };
      return reader.faultsIn(body, policy);
    }, POLICY);
  }

  const insert = (texts: readonly string[]) =>
    page.evaluate(
      ({ texts, policy }) => {
        const { reader } = globalThis as unknown as InPage;
        return texts.map((text) => reader.insert(text, policy));
      },
      { texts, policy: POLICY },
    );

  /** Events since the last call, after deferred work is done. */
  async function happened(): Promise<string[]> {
    await page.evaluate(async () => {
      for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
    });
    const all = happenings;
    happenings = [];
    return all;
  }

  async function insertBatch(texts: readonly string[]): Promise<Breach[]> {
    const breaches = (await insert(texts)).flatMap((faults, index) =>
      faults.length > 0 ? [{ index, faults }] : [],
    );
    const others = await happened();
    return others.length > 0 ? [...breaches, { index: -1, faults: others }] : breaches;
  }

  async function showBatch(texts: readonly string[]): Promise<Breach[]> {
    const faults = await document(texts.map((text) => `<div>${text}</div>`).join('\n'));
    const breaches = await insertBatch(texts);
    return faults.length > 0 ? [...breaches, { index: -1, faults }] : breaches;
  }

  async function inBatches(
    texts: readonly string[],
    run: (batch: readonly string[]) => Promise<Breach[]>,
  ): Promise<Breach[]> {
    const breaches: Breach[] = [];
    for (let from = 0; from < texts.length; from += BATCH) {
      const found = await run(texts.slice(from, from + BATCH));
      breaches.push(
        ...found.map(({ index, faults }) => ({ index: index === -1 ? -1 : from + index, faults })),
      );
    }
    return breaches;
  }

  await document('');
  return {
    page,
    show(texts, pictures) {
      neverMatters = pictures === undefined;
      return inBatches(texts, showBatch);
    },
    insert: (texts) => inBatches(texts, insertBatch),
    close: () => context.close(),
  };
}
