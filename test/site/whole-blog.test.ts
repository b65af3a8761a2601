/** The code that takes the whole blog, in each language that is installed: the whole of it, and until a day's limit. */
import { execFile } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WHOLE_BLOG } from '../../build/page/snippets.ts';
import { editing } from '../build/publishing.ts';
import { generatedBlog } from '../service/blogs.ts';
import type { Service } from '../service/home.ts';
import { inProcessHome } from '../service/in-process-home.ts';
import { INTERPRETERS } from './snippets.ts';

/** Enough for one copy of 300 articles, and a page of a second one. */
const LIMITS = { day: { address: 7, user: 7 }, minute: 1000 };

describe('the code that takes the whole blog', () => {
  let service: Service;
  let urls: readonly string[] = [];
  beforeAll(async () => {
    const blog = await generatedBlog();
    service = await inProcessHome.serve(blog, { limits: LIMITS });
    editing(blog.db, (db) => {
      const sql =
        "SELECT slug FROM posts WHERE status <> 'draft' AND published_unix <= unixepoch() AND status <> 'archived'";
      urls = db.prepare<[], string>(sql).pluck().all();
    });
  });
  afterAll(() => service?.close());

  test.each(INTERPRETERS.map((row) => [row[0], row] as const))('in %s', async (language, row) => {
    const [, command, ...options] = row;
    const { key } = await service.createKey({ account: language, name: 'my site' });
    const { code = '' } = WHOLE_BLOG.find((snippet) => snippet.language === language) ?? {};
    const filled = code
      .replaceAll('ORIGIN', service.url)
      .replaceAll('YOUR_KEY', key)
      .replace(/^<\?php/, '');
    const run = () =>
      new Promise<{ readonly missing: boolean; readonly failed: boolean; readonly output: string }>((end) => {
        execFile(command, [...options, filled], (error, out, err) =>
          end({ missing: error?.code === 'ENOENT', failed: error !== null, output: out + err }),
        );
      });
    const whole = await run();
    if (whole.missing && language !== 'curl' && language !== 'JavaScript') return;
    expect(whole.failed, whole.output).toBe(false);
    expect(whole.output.trim().split('\n')).toHaveLength(urls.length);

    const second = await run();
    expect(second.failed).toBe(true);
    expect(second.output).toMatch(/daily|day/i);
    expect(second.output).toMatch(/Continue with cursor=\S{10}/);
  });
});
