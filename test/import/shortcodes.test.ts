import { describe, expect, it } from 'vitest';
import { folderOf, readFolder } from './folder.ts';

const SHORTCODES = {
  'plain.html': '<hr>\n\n  <b>{{ .Get 0 }}</b>',
  'named.html': '{{ with .Get "cite" }}<cite>{{ . }}</cite>{{ else }}none{{ end }}',
  'inner.html': '<aside>{{ .Inner | markdownify }}</aside>',
  'raw.html': '{{- /* a comment */ -}}<i>{{- .Inner -}}</i>',
  'given.html':
    '{{ $url := .Get "url" }}{{ if not $url }}{{ errorf "no url" }}{{ end }}<a href="{{ $url }}">{{ .Get "text" | default "a link" }}</a>',
  'set.html': '{{ if isset .Params "wide" }}wide{{ end }}{{ .Page.Title | upper }}',
  'attributes.html':
    '{{ $all := "" }}{{ range $k, $v := .Params }}{{ $all = printf `%s %s="%v"` $all $k $v }}{{ end }}' +
    '{{ replace (.Inner | markdownify) "<table>" (printf "<table%s>" $all) | safeHTML }}',
  'choice.html':
    '{{ if eq (.Get 0) "a" }}A{{ else if or (eq (.Get 0) "b") (in (slice "c") "x") }}B{{ else }}C{{ end }}',
  'which.html': '{{ with $x := .Get "x" }}{{ $x }}{{ else with .Get 0 }}{{ . | title }}{{ end }}',
  'either.html':
    '{{ $n := len .Params }}{{ if and (eq $n 2) (ne (.Get 0) "b") }}two{{ else if ge $n 1 }}x{{ else }}none{{ end }}',
  'list.html':
    '{{ range $i, $one := split (index .Params 0) "," }}{{ if $i }}; {{ end }}{{ trim $one " " | upper }}{{ end }}',
  'loops.html': '{{ range .Params }}'.repeat(6) + 'x' + '{{ end }}'.repeat(6),
  'range.html': '{{ range .Site.Pages }}x{{ end }}',
};

async function read(body: string, config = '') {
  const path = 'content/posts/a.md';
  const folder = folderOf({
    'hugo.toml': config,
    ...Object.fromEntries(
      Object.entries(SHORTCODES).map(([name, text]) => [`layouts/shortcodes/${name}`, text]),
    ),
    'themes/x/layouts/shortcodes/plain.html': 'the theme’s',
    'themes/x/layouts/shortcodes/theme.html': 'of the theme',
    [path]: `---\ntitle: T & t\ndate: 2020-01-01\n---\n${body}`,
  });
  const { posts, items } = await readFolder(folder);
  const losses = items.flatMap((item) => (item.kind === 'loss' ? [item.loss.what] : []));
  return { body: posts.get(path)?.body, losses };
}

describe('shortcodes of a site of Hugo', () => {
  it.each([
    ['{{< plain "a<b" >}}', '<hr>\n\n  <b>a&lt;b</b>'],
    ['x {{< named cite="C" >}} {{< named >}}', '<p>x <cite>C</cite> none</p>'],
    [
      'x {{< inner >}}*a* {{< plain b >}}{{< /inner >}}',
      '<p>x <aside><em>a</em> <hr>\n\n  <b>b</b></aside></p>',
    ],
    ['x {{< raw >}}a{{< /raw >}}', '<p>x <i>a</i></p>'],
    ['x {{< given url="/a?b&c" >}}', '<p>x <a href="/a?b&amp;c">a link</a></p>'],
    [
      '{{< attributes class="b" >}}\n|a|\n|-|\n|b|\n{{< /attributes >}}',
      '<table class="b">\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>b</td>\n</tr>\n</tbody>\n</table>',
    ],
    ['x {{< list "a<, b" >}}', '<p>x A&lt;; B</p>'],
    ['x {{< set wide=1 />}} {{< theme >}}', '<p>x wideT &amp; T of the theme</p>'],
  ])('%j becomes %j', async (text, html) => {
    expect(await read(text)).toEqual({ body: html, losses: [] });
  });

  it('that take too long are losses', async () => {
    const { losses } = await read(`x {{< loops ${'a '.repeat(20)}>}}`);
    expect(losses).toEqual(['shortcode loops']);
  });

  it('that are not plain, or unknown, are losses', async () => {
    for (const name of ['choice', 'which', 'either'])
      expect((await read(`x {{< ${name} a >}}`)).losses).toEqual([`shortcode ${name}`]);
    expect(await read('x {{< range >}} {{< nothing a=1 >}}y')).toEqual({
      body: '<p>x  y</p>',
      losses: ['shortcode range', 'shortcode nothing'],
    });
  });

  it('with enableEmoji, emoji names are replaced', async () => {
    expect((await read(':smile: :no_such: `:+1:`', 'enableEmoji = true')).body).toBe(
      '<p>😄 :no_such: <code>👍</code></p>',
    );
  });
});

it('pages outside of the posts of a whole site are not posts', async () => {
  const page = '---\ntitle: x\ndate: 2020-01-01\n---\n';
  const hugo = await readFolder(
    folderOf({
      'hugo.toml': '',
      ...Object.fromEntries(
        ['README.md', 'content/a.md', 'content/posts/b.md', 'content/posts/c.md', 'content/docs/d.md'].map(
          (path) => [path, page],
        ),
      ),
    }),
  );
  expect([...hugo.posts.keys()]).toEqual(['content/posts/b.md', 'content/posts/c.md']);
  expect(hugo.skipped.get('README.md')).toBe('is not in the content of its site');
  expect(hugo.skipped.get('content/docs/d.md')).toBe('is in the section "docs", not among the posts');
  const jekyll = await readFolder(
    folderOf({
      '_config.yml': 'title: x',
      ...Object.fromEntries(
        ['_posts/2020-01-01-a.md', '_drafts/b.md', '_docs/c.md', 'news.md'].map((path) => [path, page]),
      ),
    }),
  );
  expect([...jekyll.posts.keys()]).toEqual(['_drafts/b.md', '_posts/2020-01-01-a.md']);
  expect(jekyll.skipped.get('news.md')).toBe('is a page, not a post');
  expect(jekyll.skipped.get('_docs/c.md')).toBe('is in _docs, not in _posts');
});

it('of Hugo: languages by folder, and taxonomies of any name', async () => {
  const { posts } = await readFolder(
    folderOf({
      'hugo.toml':
        'defaultContentLanguage = "ja"\n[taxonomies]\ntopic = "topics"\ntag = "tags"\n' +
        '[languages.ja]\ncontentDir = "content/ja"\n[languages.en]\ncontentDir = "content/en"',
      'content/ja/post/a.md': '---\ndate: 2020-01-01\ntags: [one]\ntopics: [Two Words]\n---\n',
      'content/en/post/a.md': '---\ndate: 2020-01-01\n---\n',
    }),
  );
  const own = posts.get('content/ja/post/a.md');
  expect([own?.language, own?.url]).toEqual([null, '/post/a/']);
  expect(own?.tags.map(({ name }) => name)).toEqual(['one', 'Two Words']);
  const other = posts.get('content/en/post/a.md');
  expect([other?.language, other?.url]).toEqual(['en', '/en/post/a/']);
});
