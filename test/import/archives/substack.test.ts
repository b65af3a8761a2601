import { describe, expect, it } from 'vitest';
import { readSubstackExport } from '../../../import/substack/read.ts';
import { folderOf, NOW } from '../folder.ts';
import { collected, type ReadArchive, zipOf } from './archive.ts';

const HEAD =
  'post_id,post_date,is_published,email_sent_at,inbox_sent_at,type,audience,title,subtitle,podcast_url\n';
const ROW = '1.one,2020-01-02T03:04:05.678Z,true,,,newsletter,everyone,One,About it,\n';

function readFiles(files: Readonly<Record<string, string>>): Promise<ReadArchive> {
  return collected(readSubstackExport(folderOf(files), { now: NOW }));
}

async function bodyOf(html: string): Promise<{ body: string | undefined; lost: readonly string[] }> {
  const { posts, lost } = await readFiles({ 'posts.csv': HEAD + ROW, 'posts/1.one.html': html });
  return { body: posts[0]?.body, lost };
}

describe('an export of Substack', () => {
  it('gives all fields of a post, from the zip file and from its folder', async () => {
    const files = {
      'posts.csv': `\uFEFF${HEAD}"1.one","2020-01-02T03:04:05.678Z",TRUE,,,newsletter,everyone,"One, ""two"" &amp; &#x201C;three&#x201D;","About\nit",\n`,
      'posts/1.one.html': '<p>Text</p>',
      'posts/1.one.opens.csv': 'x',
      'email_list.csv': 'email\na@b.example\n',
    };
    const zip = await collected(readSubstackExport(await zipOf(files, 'mine.zip'), { now: NOW }));
    expect(zip.items[0]).toMatchObject({ blog: { format: 'substack', name: 'mine', isWhole: true } });
    expect(zip.posts).toEqual((await readFiles(files)).posts);
    expect(zip.skipped).toEqual([]);
    expect(zip.posts).toEqual([
      {
        source: 'substack:1',
        slug: 'one',
        language: null,
        title: 'One, "two" & “three”',
        body: '<p>Text</p>',
        description: 'About it',
        cover: null,
        metaTitle: null,
        metaDescription: null,
        category: null,
        tags: [],
        author: null,
        status: 'published',
        publishedAt: '2020-01-02T03:04:05+00:00',
        url: '/p/one',
        views: null,
      },
    ]);
  });

  it('publishes only what is published, for everyone, and of a known kind', async () => {
    const row = (id: number, fields: string) => `${id}.p${id},${fields},T${id},,\n`;
    const date = '2020-01-02T03:04:05Z';
    const rows = [
      row(1, `${date},true,,,podcast,everyone`),
      row(2, `${date},false,,,newsletter,everyone`),
      row(3, `${date},true,,,newsletter,only_paid`),
      row(4, `${date},true,,,newsletter,founding`),
      row(5, `${date},true,,,newsletter,`),
      row(6, `2030-01-01T00:00:00Z,true,,,newsletter,everyone`),
      row(7, `${date},true,,,something-new,everyone`),
      row(8, `${date},true,,,page,everyone`),
      row(9, `${date},true,,,adhoc_email,everyone`),
      row(10, `,true,,,newsletter,everyone`),
      row(11, `,,,,newsletter,everyone`),
      row(12, `${date},true,,,thread,everyone`),
      row(13, `${date},true,,,newsletter,only_free`),
    ];
    const pages = rows.map((_, i) => [`posts/${i + 1}.p${i + 1}.html`, '<p>x</p>']);
    const { posts, skipped } = await readFiles({
      'posts.csv': HEAD + rows.join(''),
      ...Object.fromEntries(pages),
    });
    expect(posts.map(({ slug, status }) => `${slug} ${status}`)).toEqual([
      'p1 published',
      'p2 draft',
      'p3 draft',
      'p4 draft',
      'p5 draft',
      'p6 scheduled',
      'p7 draft',
      'p11 draft',
      'p12 published',
      'p13 draft',
    ]);
    expect(skipped).toEqual([
      'substack:8: is a page, not a post',
      'substack:9: was sent by e-mail alone',
      'substack:10: has no date that can be read',
    ]);
  });

  it('omits what follows the paywall, also in a post for everyone', async () => {
    const { body, lost } = await bodyOf(
      '<div><p>Free</p><section data-a="<" class=paywall-jump></section><p>Secret</p></div><p>Secret</p>',
    );
    expect(body).toBe('<p>Free</p>');
    expect(lost).toEqual(['text for those who pay: what follows the paywall is left out']);
  });

  it('removes buttons and forms, and keeps images, notes and players', async () => {
    const { body, lost } = await bodyOf(
      '<p class="button-wrapper" data-attrs="{}"><a class="button primary" href="https://x.example/subscribe?"><span>Sign up</span></a></p>' +
        '<div class="subscription-widget-wrap-editor"><div class="subscription-widget show-subscribe"><form><input></form><p class="cta-caption">Subscribe!</p></div></div>' +
        '<div class="captioned-image-container"><figure><a class="image-link image2" href="https://cdn.example/full.png"><div class="image2-inset"><picture><source srcset="x"><img src="https://cdn.example/a.png" alt="A" width="10" onerror="x()"></picture><div class="image-link-expand"><svg></svg></div></div></a><figcaption class="image-caption">It</figcaption></figure></div>' +
        '<p>Text<a class="footnote-anchor" id="footnote-anchor-1" href="#footnote-1">1</a></p>' +
        '<div id="youtube2-abcdefghijk" class="youtube-wrap"><div class="youtube-inner"><iframe src="https://www.youtube-nocookie.com/embed/abcdefghijk?rel=0"></iframe></div></div>' +
        '<div class="footnote"><a id="footnote-1" href="#footnote-anchor-1">1</a><div class="footnote-content"><p>Note</p></div></div><div><hr></div>',
    );
    expect(body).toBe(
      '<figure><img src="https://cdn.example/a.png" alt="A" width="10"><figcaption>It</figcaption></figure>' +
        '<p>Text<a id="footnote-anchor-1" href="#footnote-1">1</a></p>' +
        '<div id="youtube2-abcdefghijk"><iframe src="https://www.youtube-nocookie.com/embed/abcdefghijk" allowfullscreen></iframe></div>' +
        '<a id="footnote-1" href="#footnote-anchor-1">1</a><p>Note</p><hr>',
    );
    expect(lost).toEqual([]);
  });

  it('has embedded posts and messages as links, and reports what only Substack can show', async () => {
    const attrs = (value: unknown) => JSON.stringify(value).replaceAll('"', '&quot;');
    const { body, lost } = await bodyOf(
      `<div class="digest-post-embed" data-attrs="${attrs({ title: 'Other', canonical_url: 'https://x.example/p/o' })}"></div>` +
        `<div class="tweet" data-attrs="${attrs({ url: 'https://t.example/1', full_text: 'a < b', name: 'Ada' })}"><p>rendered</p></div>` +
        `<div class="poll-embed" data-attrs="${attrs({ id: 7 })}"></div>` +
        `<div class="latex-rendered" data-attrs="${attrs({ persistentExpression: 'a^2' })}"></div>` +
        '<div class="digest-post-embed" data-attrs="{broken"></div>',
    );
    expect(body).toBe(
      '<p><a href="https://x.example/p/o">Other</a></p>' +
        '<blockquote><p>a &lt; b</p><p><a href="https://t.example/1">Ada</a></p></blockquote>' +
        '<pre><code class="language-latex">a^2</code></pre>',
    );
    expect(lost).toEqual(['embed poll-embed: without an address']);
  });

  it('plays the episode of a podcast', async () => {
    const { posts } = await readFiles({
      'posts.csv': `${HEAD}1.one,2020-01-02T03:04:05Z,true,,,podcast,everyone,One,,https://cdn.example/a.mp3\n`,
      'posts/1.one.html': '<p>Notes</p>',
    });
    expect(posts[0]?.body).toBe(
      '<figure><audio src="https://cdn.example/a.mp3" controls></audio></figure>\n<p>Notes</p>',
    );
  });

  it('reads a malformed table as far as possible', async () => {
    const { posts, skipped, items } = await readFiles({
      'posts.csv': `${HEAD}${ROW}2.two,2020-01-02T03:04:05Z,true\n3.three,2020-01-02,true,,,newsletter,everyone,No page,,\n,,,,,,,,,\n`,
      'posts/1.one.html': '<p>x</p>',
    });
    expect(posts.map(({ slug, status }) => `${slug} ${status}`)).toEqual(['one published']);
    expect(skipped).toEqual([
      'posts.csv: has 1 row that cannot be read',
      'substack:2: has neither a title nor a text',
      'substack:3: has no page in the export',
    ]);
    expect(items.some((item) => item.kind === 'skipped' && item.stays === '')).toBe(true);
  });

  it('is rejected if it is not an export of Substack', async () => {
    await expect(readFiles({ 'a.html': 'x' })).rejects.toThrow('it has no file posts.csv');
    await expect(readFiles({ 'posts.csv': 'id,title\n1,A\n' })).rejects.toThrow('no column post_id');
  });
});
