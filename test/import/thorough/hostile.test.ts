/**
 * Files of a megabyte that were made to exhaust memory or time. Each is imported by the real command, in a process of
 * its own whose peak of memory and processor time are measured.
 */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FormatName } from '../../../import/format-names.ts';
import { runOffprint } from '../../build/offprint-process.ts';
import { folderOf } from '../folder.ts';

const MB = 1_000_000;
const MAX_MEMORY = 300 * MB;
/** Of processor time, on a machine ten times slower than usual. What is quadratic takes hours. */
const MAX_SECONDS = 60;
const filled = (piece: string, size = MB) => piece.repeat(Math.floor(size / piece.length));
const numbered = (count: number, piece: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => piece(index)).join('');

/** The maximum that getrusage gives is at least that of this process, which started the command. */
const REPORTS_MEMORY = `import { readFileSync } from 'node:fs';
  const peak = () => /VmHWM:\\s*(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1];
  const seconds = ({ user, system }) => (user + system) / 1e6;
  process.on('exit', () => console.error('peak', peak() * 1024, seconds(process.cpuUsage())));`;

async function imported(format: FormatName, path: string): Promise<string> {
  const db = join(folderOf({}), 'blog.db');
  const { code, stdout, stderr } = await runOffprint(['import', format, path, '--db', db], {
    env: { NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(REPORTS_MEMORY)}"` },
  });
  const [, peak, seconds] = /^peak (\d+) ([\d.]+)$/m.exec(stderr) ?? [];
  expect(Number(peak)).toBeLessThan(MAX_MEMORY);
  expect(Number(seconds)).toBeLessThan(MAX_SECONDS);
  expect(code === 0 || code === 1).toBe(true);
  expect(stderr).not.toMatch(/^ +at /m);
  return stdout + stderr;
}

const page = (body: string, more = '') => `---\ntitle: A\ndate: 2020-01-01\n${more}---\n${body}`;
const IMPORTED = /imported 1 post,/;

describe('Markdown', () => {
  it.each([
    ['headings', filled('# a\n'), /post\.md has more than 120000 lines and marks/],
    ['lists', filled('1) a\n'), /post\.md has more than 120000 lines and marks/],
    ['nested lists', `${filled('- ')}a`, /post\.md nests lists.* more than 100 deep/],
    ['nested quotes', filled('> '), /post\.md nests lists.* more than 100 deep/],
    ['alerts', filled('> [!NOTE]\n> a\n\n', 400_000), IMPORTED],
    ['emphasis', filled('*a_ '), /post\.md has more than 120000 lines and marks/],
    [
      'references to a note',
      `[^a]: x\n\n${filled('[^a] ')}`,
      /post\.md has more than 120000 lines and marks/,
    ],
    [
      'notes',
      numbered(25_000, (i) => `a[^${i}]\n\n[^${i}]: n\n\n`),
      /post\.md has more than 2000 footnotes|marks/,
    ],
    [
      'elements',
      `<a href="/x">y</a>${filled('<div>', 500_000)}${filled('</b>', 500_000)}`,
      /imported 1 post,|marks/,
    ],
    ['attributes', `<p ${numbered(120_000, (i) => `a${i} `)}>x</p>`, IMPORTED],
  ])('with many %s', async (_what, body, outcome) => {
    expect(await imported('markdown', folderOf({ 'post.md': page(body) }))).toMatch(outcome);
  });

  it.each([
    ['settings', { 'config.yaml': filled('a: 1\n'), 'content/a.md': page('x') }],
    ['data about authors', { '_data/authors.yml': filled('a: "\n'), 'a.md': page('x') }],
    ['data with many keys', { '_data/authors.yml': numbered(25_000, (i) => `k${i}:\n`), 'a.md': page('x') }],
    [
      'links in a nested page',
      { 'a.html': page(`<a href="/x">y</a>${filled('<div>', 500_000)}${filled('</b>', 500_000)}`) },
    ],
  ])('with large %s', async (_what, files) => {
    expect(await imported('markdown', folderOf(files))).toMatch(IMPORTED);
  });
});

const jsonFeed = (items: string) =>
  `{"version":"https://jsonfeed.org/version/1.1","title":"A","items":${items}}`;
const ghost = (posts: string) => `{"db":[{"data":{"posts":[${posts}]}}]}`;
const ghostPost = (more: object) =>
  JSON.stringify({
    id: '1',
    title: 'A',
    slug: 'a',
    status: 'published',
    published_at: '2020-01-01',
    ...more,
  });

describe('one file', () => {
  it.each<[string, FormatName, string, RegExp]>([
    ['nested lists', 'feed', jsonFeed(filled('[')), /not valid JSON \(it nests more than 500 levels deep\)/],
    ['empty items', 'feed', jsonFeed(`[${filled('{},')}{}]`), /entry 1 has neither an id nor a URL/],
    ['nested XML', 'feed', `<rss><channel><title>A</title><item>${filled('<a>')}`, /is cut off/],
    ['nested lists', 'ghost', filled('['), /not valid JSON \(it nests more than 500 levels deep\)/],
    ['plain values', 'ghost', ghost(`${filled('1,')}1`), /posts\[0\] is not a row/],
    [
      'one name',
      'ghost',
      ghost(numbered(5000, (i) => `${ghostPost({ id: i, html: 'x' })},`) + ghostPost({})),
      /imported 5001 posts|renamed/,
    ],
    [
      'nested cards',
      'ghost',
      ghost(ghostPost({ html: filled('<div class="kg-toggle-card">', 900_000) })),
      IMPORTED,
    ],
    [
      'nested blocks',
      'wordpress',
      `<rss><channel><wp:wxr_version>1.2</wp:wxr_version><item><title>A</title><wp:post_id>1</wp:post_id><wp:post_date>2020-01-01 00:00:00</wp:post_date><wp:status>publish</wp:status><wp:post_type>post</wp:post_type><content:encoded><![CDATA[${filled('[caption][a]<!-- wp:a -->')}]]></content:encoded></item></channel></rss>`,
      /imported 1 post,|left out/,
    ],
  ])('with %s for %s', async (_what, format, text, outcome) => {
    expect(await imported(format, join(folderOf({ 'blog.txt': text }), 'blog.txt'))).toMatch(outcome);
  });
});
