/**
 * Missing descriptions, which the build takes from an article's text.
 */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { boundProcessorTime } from '../../processor-time.ts';
import { insertPost, writeEmptyBlog } from '../../service/odd-blog.ts';
import { readPlainly } from '../plain-sql.ts';
import { readPublished } from '../published-blog.ts';
import { editing, NOW, publish } from '../publishing.ts';
import { blogPaths, temporaryFolder } from '../temporary-folder.ts';

interface Summary {
  readonly slug: string;
  readonly description: string | null;
}

const TEN = 'ten chars ';
/** Twenty characters with a mark at the end of each. */
const WIDE = '活字一本一本を拾っていく仕事だったのです。';

// prettier-ignore
const CASES: readonly (readonly [body: string, description: string | null])[] = [
  ['', null],
  [' <p> </p><img src="/a.png" alt="A picture"><script>alert(1)</script>', null],
  ['<p>One.</p>\n<p>Two &amp; <em>three</em>,\n<strong>f</strong>our.<br>Five&nbsp;six.</p>', 'One. Two & three, four. Five six.'],
  ['<p>&lt;b&gt; &amp;amp; &#8220;x&#8221;</p>', '<b> &amp; “x”'],
  ['<h1>Title</h1><pre>code</pre><table><tr><td>cell</td></tr></table><figure><img src="/a.png"><figcaption>caption</figcaption></figure><ul><li><p>item</p></li></ul><p>Text.</p><details><summary>More</summary><p>hidden</p></details>', 'Text.'],
  ['<p>The rules are:</p><ul><li>one</li></ul><p>And more.</p>', 'The rules are: … And more.'],
  ['<p>In short:</p><pre>x</pre>', 'In short: …'],
  // Without paragraphs: text outside of elements, otherwise any text.
  ['<h2>Title</h2><div>First line<br>second</div><ul><li>item</li></ul>', 'First line second'],
  ['<h2>Title</h2><ul><li>one</li><li>two</li></ul>', 'Title one two'],
  // Notes, recognised by the classes and roles that generators use.
  ['<p>A claim<sup class="footnote-ref"><a href="#fn1">[1]</a></sup> and<sup id="r"><a href="#f">2</a></sup> another<a href="#x"><sup>3</sup></a>, x<sup>2</sup>.</p><section class="footnotes"><p>A note.</p></section><div role="doc-endnotes"><p>Another.</p></div>', 'A claim and another, x2.'],
  ['<p>Not <del>that</del><s>this</s>, <ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby> a\u00adb <video src="/v.mp4">No video.</video></p>', 'Not , 漢 ab'],
  // Chinese and Japanese text is wrapped in the source, without spaces after full stops.
  ['<p>第一行\n第二行。\n第三行 word\n尾</p><p>新段</p>', '第一行第二行。第三行 word 尾 新段'],
  [`<p>${TEN.repeat(20)}</p>`, TEN.repeat(20).trim()],
  [`<p>${'x'.repeat(200)}</p>`, 'x'.repeat(200)],
  [`<p>${'😀'.repeat(200)}</p>`, '😀'.repeat(200)],
  [`<p>${'&amp;'.repeat(200)}</p>`, '&'.repeat(200)],
  // Cut between words. Punctuation before `…` is removed, except at the end of a sentence.
  [`<p>${TEN.repeat(21)}</p>`, `${TEN.repeat(19)}ten…`],
  [`<p>${TEN.repeat(19)}word, then ten chars more</p>`, `${TEN.repeat(19)}word…`],
  [`<p>${TEN.repeat(19)}word – then</p>`, `${TEN.repeat(19)}word…`],
  [`<p>${TEN.repeat(19)}end. Sentences follow.</p>`, `${TEN.repeat(19)}end. …`],
  [`<p>${TEN.repeat(18)}and "${'x'.repeat(40)}"</p>`, `${TEN.repeat(18)}and…`],
  // Cut inside a word only if there is no other place.
  [`<p>${'x'.repeat(300)}</p>`, `${'x'.repeat(198)}…`],
  [`<p>${'😀'.repeat(300)}</p>`, `${'😀'.repeat(198)}…`],
  [`<p>${'\u{1f468}\u200d\u{1f680}'.repeat(100)}</p>`, `${'\u{1f468}\u200d\u{1f680}'.repeat(66)}…`],
  [`<p>${WIDE.repeat(12)}</p>`, `${WIDE.repeat(9)}…`],
  [`<p>${'活'.repeat(170)}，${'字'.repeat(100)}</p>`, `${'活'.repeat(170)}…`],
  [`<p>${'ภาษาไทย'.repeat(40)}</p>`, `${'ภาษาไทย'.repeat(28)}…`],
];

test.each(CASES.map(([body, description], index) => ({ index, body, description })))(
  'case $index: $description',
  async ({ index, description }) => {
    published ??= publishCases();
    const { descriptions, expected } = await published;
    expect(descriptions.get(`case-${index}`)).toBe(description);
    expect(expected.get(`case-${index}`)).toBe(description);
    expect([...(description ?? '')].length).toBeLessThanOrEqual(200);
  },
);

let published: ReturnType<typeof publishCases> | undefined;

/** The description in the snapshot, and the one that the oracle of other tests expects. */
async function publishCases() {
  const { db, out } = blogOf(CASES.map(([body]) => body));
  await publish(db, out);
  return { descriptions: descriptionsIn(out), expected: descriptionsOf(readPlainly(db, NOW).summaries) };
}

test("the post's own description wins, and an excerpt follows the text", async () => {
  const { db, out } = blogOf(['<p>First.</p>', '<p>Other.</p>']);
  const after = async (sql: string) => {
    editing(db, (blog) => blog.exec(sql));
    const { snapshot } = await publish(db, out);
    // Equal to a full build.
    expect((await publish(db, join(temporaryFolder(), 'out'))).snapshot).toBe(snapshot);
    return descriptionsIn(out).get('case-0');
  };
  expect(await after('SELECT 1')).toBe('First.');
  expect(await after("UPDATE posts SET body = '<p>Second.</p>' WHERE slug = 'case-0'")).toBe('Second.');
  expect(await after("UPDATE posts SET description = 'Own' WHERE slug = 'case-0'")).toBe('Own');
  expect(await after("UPDATE posts SET body = '<p>Third.</p>' WHERE slug = 'case-0'")).toBe('Own');
  expect(await after("UPDATE posts SET description = ' ' WHERE slug = 'case-0'")).toBe('Third.');
  // Its page is rendered again, with other summaries that did not change.
  expect(await after("UPDATE posts SET title = 'Another' WHERE slug = 'case-1'")).toBe('Third.');
  expect(await after("UPDATE posts SET body = '' WHERE slug = 'case-0'")).toBeNull();
});

test('the setting turns excerpts off and on with the next build', async () => {
  const { db, out } = blogOf(['<p>First.</p>']);
  const described = async (excerpts?: boolean) => {
    await publish(db, out, { site: { excerpts } });
    return descriptionsIn(out).get('case-0');
  };
  expect(await described()).toBe('First.');
  expect(await described(false)).toBeNull();
  expect(await described(true)).toBe('First.');
});

describe('long white space', () => {
  boundProcessorTime(60);

  test('takes linear time', async () => {
    const { db, out } = blogOf([
      `<p>${'\u3000'.repeat(400_000)}`,
      `<p>あ${'\n'.repeat(1_000_000)}x`,
      `<p>あ${'<br>\n'.repeat(90_000)}い`,
      `${' '.repeat(1_000_000)}${'<ul></ul>'.repeat(50_000)}<p>a`,
    ]);
    await publish(db, out);
    const descriptions = descriptionsIn(out);
    expect([0, 1, 2, 3].map((index) => descriptions.get(`case-${index}`))).toEqual([
      null,
      'あ x',
      'あい',
      'a',
    ]);
  });
});

function blogOf(bodies: readonly string[]): { readonly db: string; readonly out: string } {
  const { db, out } = blogPaths();
  writeEmptyBlog(db);
  editing(db, (blog) => bodies.forEach((body, index) => insertPost(blog, { slug: `case-${index}`, body })));
  return { db, out };
}

function descriptionsIn(out: string): Map<string, string | null> {
  return descriptionsOf(readPublished(out).summaries);
}

function descriptionsOf(summaries: readonly unknown[]): Map<string, string | null> {
  return new Map((summaries as readonly Summary[]).map(({ slug, description }) => [slug, description]));
}
