import { describe, expect, it } from 'vitest';
import { FORMATS } from '../../import/formats.ts';
import { importBlog } from '../../data/imported/import.ts';
import { emptyBlog, folderOf, NOW } from './folder.ts';

const page = (date: string, body: string, more = '') => `---\ndate: ${date}\n${more}---\n${body}\n`;

async function linksOf(
  files: Readonly<Record<string, string>>,
  configured: { url?: string; postPath?: string } = { url: 'https://a.example' },
): Promise<[string, number, string][]> {
  const items = FORMATS.markdown.read(folderOf(files), { now: NOW });
  const { brokenLinks } = await importBlog({ db: emptyBlog(), items, configured });
  return brokenLinks.map(({ what, count, first }) => [what, count, first]);
}

describe('broken links', () => {
  const there = { 'there.md': page('2020-01-01', 'Text.') };

  it('are counted by address, in any notation', async () => {
    const body = [
      '[gone](/posts/gone) [again](https://a.example/posts/gone?x=1#y) [www](http://www.a.example/posts/gone/)',
      '<a href="gone">relative</a> [file](../other.md) [old](/2019/05/there/)',
    ].join(' ');
    expect(await linksOf({ ...there, 'here.md': page('2020-01-02', body) })).toEqual([
      ['https://a.example/posts/gone', 3, 'markdown:here.md'],
      ['http://www.a.example/posts/gone/', 1, 'markdown:here.md'],
      ['https://a.example/2019/05/there/', 1, 'markdown:here.md'],
      ['https://a.example/other.md', 1, 'markdown:here.md'],
    ]);
  });

  it('do not include links to posts, possible pages or files, or other sites', async () => {
    const body = [
      '[a](/posts/there) [b](/posts/there/) [c](/posts/there.html) [d](/posts/there/index.html) [e](there#part)',
      '[f](/about/) [g](/posts/picture.png) [h](https://b.example/posts/gone) [i](mailto:x@a.example) [j](#top)',
      '[k](/posts/) [l](http://[) ![m](/posts/gone)',
    ].join(' ');
    expect(await linksOf({ ...there, 'here.md': page('2020-01-02', body) })).toEqual([]);
  });

  it("know the posts' own addresses, and treat drafts as missing", async () => {
    const files = {
      'own.md': page('2020-01-01', 'Text.', 'permalink: /2020/own/\n'),
      'draft.md': page('2020-01-01', '[x](/posts/gone)', 'draft: true\n'),
      'here.md': page('2020-01-02', '[a](/2020/own) [b](/2019/own) [c](/posts/own) [d](/posts/draft)'),
    };
    expect((await linksOf(files)).map(([address]) => address)).toEqual([
      'https://a.example/2019/own',
      'https://a.example/posts/draft',
      'https://a.example/posts/own',
    ]);
  });

  it('know other paths that lead to posts', async () => {
    const files = {
      'own.md': page('2020-01-01', 'Text.', 'aliases: [/posts/old/, former]\nredirect_from: /posts/first\n'),
      'here.md': page('2020-01-02', '[a](/posts/old) [b](/posts/first/) [c](/posts/former) [d](/posts/gone)'),
    };
    expect((await linksOf(files)).map(([address]) => address)).toEqual([
      'https://a.example/posts/former',
      'https://a.example/posts/gone',
    ]);
  });

  it('follow the configured paths, and a site below a folder', async () => {
    const configured = { url: 'https://a.example/blog/', postPath: '/{year}/{slug}' };
    const body =
      '[a](/blog/2020/there) [b](/2020/there) [c](/blog/2021/gone) [d](https://a.example/2021/gone)';
    expect(await linksOf({ ...there, 'here.md': page('2020-01-02', body) }, configured)).toEqual([
      ['https://a.example/blog/2021/gone', 1, 'markdown:here.md'],
    ]);
  });
});
