import { describe, expect, it } from 'vitest';
import { importBlog } from '../../../data/imported/import.ts';
import { readMediumExport } from '../../../import/medium/read.ts';
import { emptyBlog, folderOf, NOW } from '../folder.ts';
import { collected, type ReadArchive, zipOf } from './archive.ts';

const TITLE = '<h3 name="a1" id="a1" class="graf graf--h3 graf--leading graf--title">A title</h3>';
const FOOTER = `<p>By <a href="https://medium.com/@ada" class="p-author h-card">Ada L.</a> on
<a href="https://medium.com/p/abcdef123456"><time class="dt-published" datetime="2020-01-02T03:04:05.678Z">January 2, 2020</time></a>.</p>
<p><a href="https://medium.com/@ada/a-title-abcdef123456" class="p-canonical">Canonical link</a></p>`;

/** A page of Medium's export. */
function story(inner: string, footer = FOOTER, title = 'A title'): string {
  return `<!DOCTYPE html><html><head><title>${title}</title></head><body><article class="h-entry">
<header><h1 class="p-name">${title}</h1></header>
<section data-field="subtitle" class="p-summary">About it</section>
<section data-field="body" class="e-content">
<section name="b1" class="section section--body section--first"><div class="section-divider"><hr class="section-divider"></div><div class="section-content"><div class="section-inner sectionLayout--insetColumn">${inner}</div></div></section>
</section><footer>${footer}<p>Exported from <a href="https://medium.com">Medium</a> on May 1, 2026.</p></footer></article></body></html>`;
}

const PROFILE = `<section class="h-card"><h3 class="p-name">Ada L.</h3><a class="u-url" href="https://medium.com/@ada">@ada</a></section>`;
const NAME = 'posts/2020-01-02_A-title-abcdef123456.html';

function readFiles(files: Readonly<Record<string, string>>): Promise<ReadArchive> {
  return collected(readMediumExport(folderOf(files), { now: NOW }));
}

async function bodyOf(inner: string): Promise<{ body: string; lost: readonly string[] }> {
  const { posts, lost, skipped } = await readFiles({ [NAME]: story(TITLE + inner) });
  if (posts[0] === undefined) throw new Error(skipped.join('; '));
  return { body: posts[0].body, lost };
}

describe('an archive of Medium', () => {
  it('gives all fields of a story, from the zip file and from its folder', async () => {
    const image = (src: string, more = '') =>
      `<figure class="graf graf--figure"><img class="graf-image" ${more} src="${src}" alt="An image"><figcaption class="imageCaption">It</figcaption></figure>`;
    const tags =
      '<p class="p-tags">Tagged in <a href="#" class="p-tag">Things</a>, <a href="#" class="p-tag">C++</a></p>';
    const files = {
      [NAME]: story(
        `${TITLE}<h4 class="graf graf--h4 graf--subtitle">About it</h4><p name="c1" id="c1" class="graf graf--p">Some <strong class="markup--strong">text</strong> &amp; more.</p>${image('https://cdn.example/1.png')}${image('https://cdn.example/2.png', 'data-is-featured="true"')}`,
        tags + FOOTER,
      ),
      'profile/profile.html': PROFILE,
      'claps/claps-0001.html': '<ul></ul>',
    };
    const zip = await collected(readMediumExport(await zipOf(files), { now: NOW }));
    expect(zip.items).toEqual((await readFiles(files)).items);
    expect(zip.items[0]).toMatchObject({
      blog: {
        key: 'https://medium.com/@ada',
        name: 'Ada L.',
        isWhole: true,
        site: { url: 'https://medium.com/@ada' },
      },
    });
    expect(zip.posts).toEqual([
      {
        source: 'medium:abcdef123456',
        slug: 'a-title',
        language: null,
        title: 'A title',
        body:
          '<p id="c1">Some <strong>text</strong> &amp; more.</p>' +
          '<figure><img src="https://cdn.example/1.png" alt="An image"><figcaption>It</figcaption></figure>' +
          '<figure><img src="https://cdn.example/2.png" alt="An image"><figcaption>It</figcaption></figure>',
        description: 'About it',
        cover: 'https://cdn.example/2.png',
        metaTitle: null,
        metaDescription: null,
        category: null,
        tags: [
          { slug: 'things', name: 'Things' },
          { slug: 'c-plus-plus', name: 'C++' },
        ],
        author: { username: 'ada', name: 'Ada L.', avatar: null },
        status: 'published',
        publishedAt: '2020-01-02T03:04:05+00:00',
        url: 'https://medium.com/@ada/a-title-abcdef123456',
        views: null,
      },
    ]);
  });

  it('publishes no draft, no story without a date, and no response', async () => {
    const { posts, items } = await readFiles({
      'posts/draft_A-title-111111111111.html': story(`${TITLE}<p>x</p>`),
      'posts/2020-01-02_No-date-222222222222.html': story(`${TITLE}<p>x</p>`, ''),
      'posts/2020-01-02_Yes--I-think-333333333333.html': story(
        '<p>Yes, I think so too.</p><p>More.</p>',
        FOOTER,
        'Yes, I think…',
      ),
      'posts/2030-01-02_Later-444444444444.html': story(`${TITLE}<p>x</p>`, FOOTER.replace('2020-', '2030-')),
    });
    expect(posts.map(({ source, status }) => [source, status])).toEqual([
      ['medium:222222222222', 'draft'],
      ['medium:444444444444', 'scheduled'],
      ['medium:111111111111', 'draft'],
    ]);
    expect(items).toContainEqual({
      kind: 'skipped',
      skipped: {
        source: 'posts/2020-01-02_Yes--I-think-333333333333.html',
        reason: 'is a response to another story: it has no title of its own',
        noPost: true,
      },
      ended: 'medium:333333333333',
    });
    expect(items.at(-1)).toMatchObject({ kind: 'note', text: expect.stringContaining('unlisted') });
  });

  it('keeps code completely, and dividers between sections', async () => {
    const { body } = await bodyOf(
      '<pre class="graf graf--pre">if (a &lt; b) {<br><br>\n\n  c();<br>}</pre></div></div></section><section class="section"><div class="section-divider"><hr class="section-divider"></div><div><div><p>Next</p>',
    );
    expect(body).toBe('<pre><code>if (a &lt; b) {\n\n\n\n  c();\n}</code></pre><hr><p>Next</p>');
  });

  it('has link cards as links, players as players, and reports other embeds', async () => {
    const { body, lost } = await bodyOf(
      '<div class="graf graf--mixtapeEmbed"><a href="https://other.example/a" class="markup--anchor markup--mixtapeEmbed-anchor"><strong>Their title</strong><br><em>About</em>other.example</a><a href="https://other.example/a" class="js-mixtapeImage"></a></div>' +
        '<figure class="graf graf--iframe"><iframe src="https://www.youtube.com/embed/abcdefghijk?feature=oembed" width="1"></iframe></figure>' +
        '<figure class="graf graf--iframe"><script src="https://gist.github.com/ada/1.js"></script></figure>' +
        '<figure><iframe src="https://unknown.example/x"></iframe></figure>',
    );
    expect(body).toBe(
      '<p><a href="https://other.example/a">Their title</a><br>About</p>' +
        '<figure><iframe src="https://www.youtube-nocookie.com/embed/abcdefghijk" allowfullscreen></iframe></figure>' +
        '<figure><p><a href="https://gist.github.com/ada/1">https://gist.github.com/ada/1</a></p></figure>' +
        '<figure><iframe src="https://unknown.example/x" allowfullscreen></iframe></figure>',
    );
    expect(lost).toEqual([
      'code that is embedded from another site: https://gist.github.com/ada/1',
      'embed of a site whose players are not known: https://unknown.example/x',
    ]);
  });

  it('names pages that are not stories, and reads the others', async () => {
    const { posts, skipped } = await readFiles({
      'posts/a.html': '<p>x</p>',
      'posts/2020-01-02_Deep-555555555555.html': story(`${TITLE}${'<div>'.repeat(20_000)}x`),
      [NAME]: story(`${TITLE}<p>x</p>`),
      'posts/2020-01-02_Bad-666666666666.html': story(TITLE, FOOTER.replace('2020-01-02T', '2020-13-02T')),
    });
    expect(posts.map(({ source }) => source)).toEqual(['medium:abcdef123456']);
    expect(skipped).toEqual([
      'posts/2020-01-02_Bad-666666666666.html: has a date that cannot be read: "2020-13-02T03:04:05.678Z"',
      'posts/2020-01-02_Deep-555555555555.html: has more than 200 levels of nested elements',
      expect.stringContaining('posts/a.html: is not a story of Medium'),
    ]);
  });

  it('is recognised on a second import: a published draft, a deleted story', async () => {
    const db = emptyBlog();
    const run = (files: Readonly<Record<string, string>>) =>
      importBlog({
        db,
        items: readMediumExport(folderOf({ ...files, 'profile/profile.html': PROFILE }), { now: NOW }),
      });
    const other = { 'posts/2020-01-02_B-777777777777.html': story(`${TITLE}<p>b</p>`) };
    await run({ 'posts/draft_A-title-abcdef123456.html': story(`${TITLE}<p>x</p>`), ...other });
    expect(await run({ [NAME]: story(`${TITLE}<p>x</p>`), ...other })).toMatchObject({
      posts: { published: 2, draft: 0 },
      gone: [],
    });
    expect(await run({ [NAME]: story(`${TITLE}<p>x</p>`) })).toMatchObject({
      gone: [{ source: 'medium:777777777777' }],
    });
  });

  it('is rejected if it is not an archive of Medium', async () => {
    await expect(readFiles({ 'posts.csv': 'a' })).rejects.toThrow('is not an export of Medium');
  });
});
