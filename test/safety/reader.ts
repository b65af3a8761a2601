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
   * Shows texts in two ways, inserted by a script and as a document, and returns the violations. Images may load from
   * anywhere, but from `/never` only if allowed.
   */
  show(texts: readonly string[], pictures?: 'from anywhere'): Promise<string[]>;
  /** Only inserts the texts by a script. Returns the violations in each, and all that ran, loaded or navigated. */
  insert(texts: readonly string[]): Promise<{ readonly faults: string[][]; readonly happened: string[] }>;
  close(): Promise<void>;
}

const SITE = 'https://reader.example';

interface InPage {
  readonly reader: {
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
  context.setDefaultTimeout(100_000); // A busy machine must not fail the test.
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

  const insert: Reader['insert'] = async (texts) => {
    const faults = await page.evaluate(
      async ([all, policy]) => {
        const { reader } = globalThis as unknown as InPage;
        const found = all.map((text) => reader.insert(text, policy));
        // Until deferred work is done.
        for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
        return found;
      },
      [texts, POLICY] as const,
    );
    const happened = happenings;
    happenings = [];
    return { faults, happened };
  };

  await document('');
  return {
    page,
    async show(texts, pictures) {
      neverMatters = pictures === undefined;
      const inDocument = await document(texts.map((text) => `<div>${text}</div>`).join('\n'));
      const { faults, happened } = await insert(texts);
      return [...inDocument, ...faults.flat(), ...happened];
    },
    insert,
    close: () => context.close(),
  };
}
