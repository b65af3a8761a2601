/**
 * The answers in the documents equal those of the sample blog, byte for byte.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PREFIX } from '../../../contract/api.ts';
import { createSampleBlog } from '../../../cli/sample-blog.ts';
import { folderUntil } from '../../build/temporary-folder.ts';
import { createKey } from '../../service/key-commands.ts';
import { CHECKOUT } from '../../service/program.ts';
import { type Server, startServer } from '../../service/server-process.ts';
import { codeBlocks, DOCUMENTS, read } from '../documents.ts';

interface Shown {
  readonly document: string;
  /** Path and query, from the prefix on. */
  readonly target: string;
  readonly withKey: boolean;
  readonly answer: string;
}

/** Blocks of the form `$ curl … "URL"`, and the answer on the next line. */
function shownAnswers(): Shown[] {
  return DOCUMENTS.flatMap((document) =>
    codeBlocks(read(document)).flatMap(({ code }) => {
      const [, options = '', url = '', answer = ''] = /^\$ curl (.*)"([^"]+)"\n(.*)\n$/.exec(code) ?? [];
      const target = url.slice(url.indexOf(PREFIX));
      return url === '' ? [] : [{ document, target, withKey: options.includes('-H'), answer }];
    }),
  );
}

const SHOWN = shownAnswers();

describe('JSON in the documents', () => {
  it.each(DOCUMENTS)('is valid in %s', (path) => {
    for (const { language, code } of codeBlocks(read(path))) {
      if (language === 'json') expect(() => JSON.parse(code), code).not.toThrow();
    }
  });
});

describe('the sample blog', () => {
  let server: Server | undefined;
  let key: string;

  beforeAll(async () => {
    const folder = folderUntil(afterAll);
    const [db, out] = [join(folder, 'blog.db'), join(folder, 'out')];
    await createSampleBlog(db, new Date());
    const args = ['start', '--db', db, '--out', out, '--port', '0', '--cron', '0 0 1 1 *'];
    server = await startServer(args, undefined, {}, CHECKOUT);
    ({ key } = await createKey(['--db', db, '--out', out], { account: 'demo', name: 'for the documents' }));
  });

  afterAll(() => server?.end('SIGTERM'));

  it('has answers to compare the documents with', () => {
    expect(SHOWN.length).toBeGreaterThan(5);
    expect(SHOWN.length).toBeLessThan(30); // The limit of an address per minute.
  });

  it.each(SHOWN.filter(({ withKey }) => !withKey))(
    'answers $target as in $document',
    async ({ target, answer }) => {
      const response = await fetch(server?.url + target);
      expect(await response.text()).toBe(answer);
    },
  );

  it.each(SHOWN.filter(({ withKey }) => withKey))(
    'answers $target as in $document, except for names and counts',
    async ({ target, answer }) => {
      const response = await fetch(server?.url + target, { headers: { Authorization: `Bearer ${key}` } });
      expect(shapeOf(await response.json())).toEqual(shapeOf(JSON.parse(answer)));
    },
  );

  it('starts with the output that the README shows', async () => {
    const shown = codeBlocks(read('README.md')).find(({ code }) => code.includes('published snapshot'));
    expect(shown?.code).toContain('page ');
    // Without what differs here: the test's schedule, the key and its request, which only a terminal gets, and the
    // output of a first start, which creates the sample in the checkout.
    const firstStart =
      /^(?:TIME created a sample blog| {2}(?:This is a sample|npm start -- --import |curl ))/;
    const lines = (text: string) =>
      text
        .replace(/snapshot \w{26}/g, 'snapshot ID')
        .replace(/, in [\d.]+ s/g, '')
        .replace(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ/gm, 'TIME')
        .replace(/127\.0\.0\.1:\d+/g, 'HOST')
        .split('\n')
        .filter((line) => !line.includes('opk_') && !line.startsWith('  rebuild ') && !firstStart.test(line));
    const missing = () => lines(shown?.code ?? '').filter((line) => !lines(server?.log ?? '').includes(line));
    await expect.poll(missing).toEqual([]);
  });
});

/** The same structure, with types instead of values. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shapeOf(item)]));
}
