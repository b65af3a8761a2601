import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { measure } from '../../../../bench/offprint.ts';
import { writeWxr } from '../../../../bench/importing/wxr.ts';
import { ExportMissing, NotAnExport } from '../../../../import/errors.ts';
import { readBlog } from '../../../../import/formats.ts';
import { folderOf, NOW } from '../../folder.ts';
import { attachment, item, meta, readExport, readPaths, wxr } from '../../wordpress/export.ts';
import { lacks } from '../../../lacks.ts';

const numbered = (id: number, fields = {}) =>
  item({ 'wp:post_id': String(id), 'wp:post_name': `post-${id}`, title: `Post ${id}`, ...fields });
const slugs = ({ posts }: { posts: readonly { slug: string }[] }) => posts.map(({ slug }) => slug);

describe('a malformed file', () => {
  const whole = wxr(numbered(1) + numbered(2));

  it('may be a fragment, without declaration and channel', async () => {
    const read = await readExport(numbered(1) + numbered(2));
    expect(slugs(read)).toEqual(['post-1', 'post-2']);
    expect(read.skipped).toEqual([]);
  });

  it('keeps text that WordPress split at the end of a CDATA section', async () => {
    const { posts } = await readExport(wxr(item({ 'content:encoded': '<pre>a[b[0]]>c</pre>' })));
    expect(posts[0]?.body).toBe('<pre>a[b[0]]>c</pre>');
  });

  it('may be truncated anywhere: complete items are imported, and the cut is reported', async () => {
    const reasons = new Set<string>();
    for (let length = whole.indexOf('<item>'); length < whole.indexOf('</rss>'); length += 7) {
      const { posts, skipped, left } = await readExport(whole.slice(0, length));
      expect(left).toBe(skipped.some((line) => line.includes(' in ')) ? 1 : 0);
      const complete = whole.slice(0, length).split('</item>').length - 1;
      expect(posts).toHaveLength(complete);
      expect(skipped, whole.slice(0, length).slice(-30)).toHaveLength(1);
      for (const line of skipped) reasons.add(line);
    }
    expect([...reasons]).toEqual([
      'a.xml: the file is cut off after 0 complete items; export it again to get the rest',
      'a.xml: the file is cut off in an item, after 0 complete items; export it again to get the rest',
      'a.xml: the file is cut off in "Post 1", after 0 complete items; export it again to get the rest',
      'a.xml: the file is cut off after 1 complete item; export it again to get the rest',
      'a.xml: the file is cut off in an item, after 1 complete item; export it again to get the rest',
      'a.xml: the file is cut off in "Post 2", after 1 complete item; export it again to get the rest',
      'a.xml: the file is cut off after 2 complete items; export it again to get the rest',
    ]);
  });

  it('may have a CDATA section without an end, which does not fill the memory', async () => {
    const endless = wxr(numbered(1) + numbered(2)).replace(/(Post 2[^]*?)\]\]>[^]*$/, '$1');
    // The end mark at the very end is not waited for.
    const rest = `${'x'.repeat(25_000_000)}]]></content:encoded></item>${numbered(3)}</channel></rss>`;
    const { posts, skipped } = await readExport(endless + rest);
    expect(posts.map(({ slug }) => slug)).toEqual(['post-1']);
    expect(skipped).toEqual([
      'a.xml: the file is cut off in an item, after 1 complete item; export it again to get the rest',
    ]);
  });

  it('names empty items, and posts that cannot be imported', async () => {
    const huge = numbered(8, { 'content:encoded': 'x'.repeat(10_000_001) });
    const nameless =
      '<item><wp:status>publish</wp:status><pubDate>Thu, 02 Jan 2020 03:04:05 GMT</pubDate><content:encoded>!</content:encoded></item>';
    const { posts, skipped, left } = await readExport(
      wxr(`<item/><item></item>${huge}${nameless}${numbered(9)}`),
    );
    expect(posts.map(({ slug }) => slug)).toEqual(['u-21', 'post-9']);
    expect(skipped).toEqual([
      'a.xml: item 1 is empty',
      'a.xml: item 2 is empty',
      'wordpress:blog.example/?p=8: is larger than the limit for posts ("Post 8")',
    ]);
    expect(left).toBe(3);
  });

  it('keeps characters that are split between two chunks of the file', async () => {
    const title = '山'.repeat(30_000);
    for (const shift of ['', 'a', 'ab']) {
      const { posts } = await readExport(wxr(item({ title: shift + title })));
      expect(posts[0]?.title === shift + title).toBe(true);
    }
  });
});

describe('a file that is not an export', () => {
  it.each([
    ['', /it is empty\./],
    [' \n', /it is empty\./],
    ['# A blog\n\nIt has a <b>tag</b>, and <wordpress>.', /it is not XML/],
    ['Just text, with < and &.', /it is not XML/],
    ['{"db":[]}', /it is JSON\./],
    ['{"db":[{"html":"<html><head><rss><item>"}]}', /it is JSON\./],
    ['<!DOCTYPE html><html><head><title>Log in</title></head></html>', /it is a web page/],
    ['<?xml version="1.0"?><rss><channel><item><title>A</title></item></channel></rss>', /it is a feed/],
    ['<?xml version="1.0"?><feed><entry/></feed>', /it is a feed/],
    ['<?xml version="1.0"?><svg/>', /another kind of XML/],
    ['<?xml version="1.0" encoding="klingon"?><rss/>', /encoding "klingon" is unknown/],
    ['PK\x03\x04and so on', /it is compressed/],
  ])('%s: one error, which says what to do', async (content, says) => {
    const reading = readExport(content);
    await expect(reading).rejects.toThrow(NotAnExport);
    await expect(reading).rejects.toThrow(says);
    await expect(reading).rejects.toThrow(/Tools, Export/);
  });

  it('that does not exist is rejected', async () => {
    await expect(readPaths(['/nowhere/at/all.xml'])).rejects.toThrow(ExportMissing);
    await expect(readPaths([folderOf({ 'a.txt': 'a' })])).rejects.toThrow(/is a folder without an XML file/);
  });

  it('is named, in a folder with the files of an export', async () => {
    const post = wxr(item({}, meta('_thumbnail_id', '9')));
    const image = wxr(attachment('9', 'https://i.example/a.png'));
    const folder = folderOf({ 'a.xml': '<svg/>', 'b/c.xml': post, 'b/e.xml': image, 'd.txt': 'd' });
    const { posts, skipped } = await readPaths([folder]);
    // Its files share their images.
    expect(posts).toMatchObject([{ slug: 'one', cover: 'https://i.example/a.png' }]);
    expect(skipped).toEqual([
      'd.txt: is not an XML file',
      'a.xml: is not a WordPress export: it is another kind of XML',
      'b/e.xml: 1 attachment is not a post',
    ]);
    await expect(readPaths([join(folder, 'a.xml'), folder])).rejects.toThrow(NotAnExport);
  });
});

describe('an export', () => {
  it('counts items that are not posts by type, and names pages', async () => {
    const { posts, skipped, left } = await readExport(
      wxr(
        numbered(1) +
          numbered(2, { 'wp:post_type': 'page' }) +
          attachment('3', '/a.png') +
          attachment('4', '/b.png') +
          numbered(5, { 'wp:post_type': 'nav_menu_item' }) +
          numbered(6, { 'wp:post_type': 'revision' }),
      ),
    );
    expect(posts).toHaveLength(1);
    expect(skipped).toEqual([
      'wordpress:blog.example/?p=2: is a page, not a post ("Post 2")',
      'a.xml: 2 attachments are not posts',
      'a.xml: 1 item of the type "nav_menu_item" is not a post',
      'a.xml: 1 item of the type "revision" is not a post',
    ]);
    expect(left).toBe(5);
  });

  it('does not mix two blogs with the same ids', async () => {
    const other = wxr(item({}, meta('_thumbnail_id', '9'))).replaceAll(
      'https://blog.example',
      'http://www.other.example/blog',
    );
    const { posts } = await readExport(
      wxr(item({}, meta('_thumbnail_id', '9')) + attachment('9', '/mine.png')),
      other.replace('</channel>', `${attachment('9', '/theirs.png')}</channel>`),
    );
    expect(posts.map(({ source, cover }) => [source, cover])).toEqual([
      ['wordpress:blog.example/?p=1', '/mine.png'],
      ['wordpress:other.example/blog/?p=1', '/theirs.png'],
    ]);
  });

  it('of another format must be one file', () => {
    expect(() => readBlog('markdown', ['a', 'b'], { now: NOW })).toThrow('takes one path at a time');
  });

  it.skipIf(lacks('Linux', existsSync('/proc/self/status')))(
    'needs memory for one item, not for its file',
    async () => {
      const folder = folderOf({});
      const peakOf = async (megabytes: number) => {
        const file = join(folder, `${megabytes}.xml`);
        // Mostly comments, which are skipped: posts of this size take ten seconds to import.
        const { posts, pages, attachments } = writeWxr(file, megabytes * 1_000_000, 2000);
        const db = join(folder, `${megabytes}.db`);
        const { stdout, peakMb } = await measure(['import', 'wordpress', file, '--db', db, '--json']);
        const report = JSON.parse(stdout);
        expect(report.imported.posts).toBe(posts);
        expect(report.skipped).toHaveLength(pages + 1);
        expect(report.skipped.at(-1)).toMatchObject({ count: attachments });
        return peakMb;
      };
      // Memory grows by some 20 MB, whatever the size; with the larger file in memory, by at least 50 more.
      expect((await peakOf(28)) - (await peakOf(4))).toBeLessThan(60);
    },
  );
});
