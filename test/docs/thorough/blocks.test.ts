/**
 * The blocks of code in the documents of owners and operators work: those of a shell are run in their order, each page in a folder
 * of its own with a blog that was built twice; settings are read. A block that is not run says so in its first line.
 */
import { execFile } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSampleBlog } from '../../../cli/sample-blog.ts';
import { CONFIG } from '../../../cli/settings.ts';
import { editing } from '../../build/publishing.ts';
import { folderUntil, temporaryFolder } from '../../build/temporary-folder.ts';
import { ACCESS_KEY_ID, SECRET_ACCESS_KEY } from '../../service/bucket-credentials.ts';
import { freePort } from '../../service/free-port.ts';
import { type LocalBucket, startLocalBucket } from '../../service/local-bucket.ts';
import { isRunning } from '../../service/process-running.ts';
import { OFFPRINT } from '../../service/program.ts';
import { type CodeBlock, codeBlocks, DOCUMENTS, read } from '../documents.ts';

const PAGES = DOCUMENTS.filter((path) => /^docs\/(?:owners|operators)\//.test(path));
const SHELL: ReadonlySet<string> = new Set(['sh', 'console']);

/** Tests that read a block from its page. */
const RUN_ELSEWHERE: Readonly<Record<string, string>> = {
  'docs/owners/exporting.md js': 'test/export/file-name.test.ts',
  'docs/owners/exporting.md sed': 'test/export/static-host.ts',
  'docs/owners/exporting.md rclone': 'test/export/system/tree.test.ts',
  'docs/owners/import-sql.md sql': 'test/docs/system/import-sql.test.ts',
  'docs/owners/import-feeds.md node': 'test/conformance/system/command-line/import-items.test.ts',
  'docs/owners/import-feeds.md ndjson': 'test/conformance/system/command-line/import-items.test.ts',
};

/** Names in the documents. */
const KEY = 'opk_1a2B3c4D';
const EARLIER = 'pg4r';
const BUCKET = 's3://my-blog';

const POST = '---\ntitle: One\ndate: 2024-01-01\n---\nText';
const SOURCES: Readonly<Record<string, string>> = {
  'blog/2024-01-01-one.md': POST,
  'blog.WordPress.2026-05-01.xml':
    '<rss xmlns:wp="http://wordpress.org/export/1.2/"><channel><title>A</title><link>https://blog.example</link><wp:wxr_version>1.2</wp:wxr_version>' +
    '<item><title>One</title><link>https://blog.example/one/</link><wp:post_id>1</wp:post_id><wp:post_name>one</wp:post_name><wp:post_date>2024-01-01 00:00:00</wp:post_date><wp:post_date_gmt>2024-01-01 00:00:00</wp:post_date_gmt><wp:post_type>post</wp:post_type><wp:status>publish</wp:status></item></channel></rss>',
  'blog.ghost.2026-05-01.json': JSON.stringify({
    db: [
      {
        meta: { exported_on: 1, version: '5.0.0' },
        data: {
          posts: [
            {
              id: '1',
              uuid: 'u',
              title: 'One',
              slug: 'one',
              html: '<p>Text</p>',
              type: 'post',
              status: 'published',
              visibility: 'public',
              published_at: '2024-01-01T00:00:00.000Z',
            },
          ],
        },
      },
    ],
  }),
};

/** How a block is run elsewhere, or undefined. */
const elsewhere = (page: string, { language, code }: CodeBlock): string | undefined =>
  RUN_ELSEWHERE[`${page} ${SHELL.has(language) ? /^\w*/.exec(code)?.[0] : language}`];

describe.each(PAGES)('%s', (page) => {
  const blocks = codeBlocks(read(page)).filter(
    ({ language, notRun }) => language !== '' && notRun === undefined,
  );

  it('has blocks that are settings, are run, or say that they are not', () => {
    for (const block of blocks) {
      const test = elsewhere(page, block);
      if (test === undefined) expect([...SHELL, 'json'], block.code).toContain(block.language);
      else expect(read(test)).toContain(page);
    }
  });

  it('has settings that can be read', () => {
    for (const { code } of blocks.filter(({ language }) => language === 'json'))
      v.parse(CONFIG, JSON.parse(code));
  });
});

describe('blocks of a shell', () => {
  const pages = PAGES.map((page) => ({
    page,
    blocks: codeBlocks(read(page)).filter(
      (block) =>
        block.notRun === undefined &&
        (block.language === 'json' || SHELL.has(block.language)) &&
        elsewhere(page, block) === undefined,
    ),
  })).filter(({ blocks }) => blocks.some(({ language }) => SHELL.has(language)));

  const template = folderUntil(afterAll);
  let bucket: LocalBucket | undefined;
  let bin = '';

  beforeAll(async () => {
    bucket = await startLocalBucket('my-blog');
    bin = join(template, 'bin');
    mkdirSync(bin);
    script(join(bin, 'offprint'), `exec "${process.execPath}" "${OFFPRINT}" "$@"`);
    // Answers when the service does, as a person waits for its first lines.
    script(
      join(bin, 'in-background'),
      `offprint "$@" --port 0 > service.log 2>&1 &\necho $! >> service.pids\n` +
        `until grep -q http:// service.log; do kill -0 $! 2>/dev/null || { cat service.log; exit 1; }; sleep 0.1; done`,
    );
    const home = join(template, 'home');
    for (const [path, text] of Object.entries(SOURCES)) {
      mkdirSync(join(home, path, '..'), { recursive: true });
      writeFileSync(join(home, path), text);
    }
    mkdirSync(join(home, 'backup'));
    mkdirSync(join(home, 'data'));
    const db = join(home, 'data/blog.db');
    await createSampleBlog(db, new Date());
    await inShell(home, 'offprint build');
    editing(db, (blog) => blog.exec(`UPDATE posts SET title = 'Another title' WHERE slug = 'brevity'`));
    await inShell(home, 'offprint build');
  });
  afterAll(() => bucket?.close());

  async function inShell(home: string, code: string): Promise<string> {
    const env = {
      PATH: `${bin}:${process.env['PATH']}`,
      HOME: home,
      OFFPRINT_ADMIN_TOKEN: 'a-token-of-some-length',
      AWS_ACCESS_KEY_ID: ACCESS_KEY_ID,
      AWS_SECRET_ACCESS_KEY: SECRET_ACCESS_KEY,
      AWS_ENDPOINT_URL: bucket?.endpoint ?? '',
    };
    const { stdout } = await promisify(execFile)('sh', ['-ec', code], { cwd: home, env });
    return stdout;
  }

  it.each(pages)('of $page', async ({ page, blocks }) => {
    const home = join(temporaryFolder(), 'home');
    cpSync(join(template, 'home'), home, { recursive: true });
    const target = `${BUCKET}/${page.replaceAll(/\W/g, '-')}`;
    const admin = await freePort();
    const text = blocks.map(({ code }) => code).join('');
    if (text.includes(BUCKET)) {
      // As the output: an earlier snapshot and the current one.
      await inShell(
        home,
        `offprint snapshots rollback ${await earlier()} && offprint publish --to ${target}`,
      );
      await inShell(
        home,
        `offprint snapshots release && offprint build --full && offprint publish --to ${target}`,
      );
    }
    if (/accounts (?:set|show)/.test(text)) await newKey();

    async function earlier(): Promise<string> {
      const { previous } = v.parse(
        v.object({ previous: v.array(v.object({ snapshot: v.string() })) }),
        JSON.parse(readFileSync(join(home, 'out/snapshot.json'), 'utf8')),
      );
      return previous[0]?.snapshot.slice(0, 8) ?? '';
    }
    async function newKey(): Promise<string> {
      const printed = await inShell(home, 'offprint keys create --account ada --name "a site" --json');
      return v.parse(v.object({ prefix: v.string() }), JSON.parse(printed)).prefix;
    }

    try {
      for (const { language, code } of blocks) {
        if (language === 'json') {
          writeFileSync(join(home, 'offprint.json'), code);
          continue;
        }
        let typed = code;
        if (language === 'console')
          typed = (code.match(/^\$ .*/gm) ?? []).map((line) => line.slice(2)).join('\n');
        while (typed.includes(KEY)) typed = typed.replace(KEY, await newKey());
        typed = typed
          .replaceAll(EARLIER, await earlier())
          .replaceAll(BUCKET, target)
          .replaceAll('a-mistake', 'brevity')
          .replaceAll('/backup/', `${home}/backup/`)
          .replaceAll('/srv/', `${home}/`)
          .replaceAll('=…', '="$OFFPRINT_ADMIN_TOKEN"')
          .replaceAll('127.0.0.1:9090', `127.0.0.1:${admin}`)
          // What a terminal is asked for, or shown alone.
          .replaceAll(/keys (?:create|rotate)/g, '$& --json')
          .replaceAll('accounts remove ada', 'accounts remove ada --yes')
          .replaceAll(/offprint (?=start|serve)/g, 'in-background ');
        await inShell(home, typed).catch((error: unknown) => {
          throw new Error(`${page}:\n${typed}`, { cause: error });
        });
      }
    } finally {
      const pids = join(home, 'service.pids');
      const started = existsSync(pids) ? readFileSync(pids, 'utf8').trim().split('\n').map(Number) : [];
      for (const pid of started.filter(isRunning)) process.kill(pid, 'SIGTERM');
      await expect.poll(() => started.filter(isRunning)).toEqual([]);
    }
  });
});

function script(path: string, code: string): void {
  writeFileSync(path, `#!/bin/sh\n${code}\n`);
  chmodSync(path, 0o755);
}
