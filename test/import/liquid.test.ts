import { describe, expect, it } from 'vitest';
import { folderOf, readFolder } from './folder.ts';

const SITE = {
  '_config.yml':
    'url: https://blog.example\nbaseurl: /b\nrepository: r\npermalink: /:title/\ncollections: {notes: {}}',
  '_data/people/ada.yml': 'name: Ada\n',
  '_includes/note.html': '<div class="{{ include.kind }}">\n\n    {{ include.text | markdownify }}\n</div>\n',
  '_includes/again.html': '{% include again.html %}',
  '_posts/2020-01-02-other.md': '---\ntitle: Other\ncategory: News\nmood: good\n---\n',
};

async function read(body: string) {
  const path = '_posts/2020-05-06-a.md';
  const folder = folderOf({ ...SITE, [path]: `---\ntitle: T\ntags: [x, y]\nplace: Rome\n---\n${body}` });
  const { posts, items } = await readFolder(folder);
  const losses = items.flatMap((item) => (item.kind === 'loss' ? [item.loss.what] : []));
  return { body: posts.get(path)?.body, losses };
}

describe('Liquid of a site of Jekyll', () => {
  it.each([
    ['{% if page.place == "Rome" %}in {{ page.place | upcase }}{% endif %}', '<p>in ROME</p>'],
    [
      '{% for tag in page.tags %}{{ tag }}{% unless forloop.last %}, {% endunless %}{% endfor %}',
      '<p>x, y</p>',
    ],
    ['{{ site.data.people.ada.name }} {{ site.repository }}', '<p>Ada r</p>'],
    ['{{ page.date | date_to_string }}, {{ page.url }}', '<p>06 May 2020, /a/</p>'],
    [
      '[a]({{ "/x y.png" | relative_url }}) [b]({{ "x" | absolute_url }})',
      '<p><a href="/b/x%20y.png">a</a> <a href="https://blog.example/b/x">b</a></p>',
    ],
    [
      '[a]({% post_url 2020-01-02-other %}) [b]({% link _posts/2020-01-02-other.md %})',
      '<p><a href="/b/other/">a</a> <a href="/b/other/">b</a></p>',
    ],
    [
      '{% highlight ruby linenos %}\nputs "*<x>*"\n\ny\n{% endhighlight %}',
      '<pre><code class="language-ruby">puts &quot;&#42;&lt;x&gt;&#42;&quot;&#10;&#10;y</code></pre>',
    ],
    ['{% raw %}{{ x }}{% endraw %} {{ none }}.', '<p>{{ x }} .</p>'],
    [
      '{% assign who = "Eve" %}{% include note.html kind="tip" text=who %}',
      '<div class="tip">\n<p>Eve</p>\n</div>',
    ],
    ['{{ input type="text" value=title }}x', '<p>x</p>'],
    ['{% for p in site.posts %}{{ p.id }} {{ p.mood }};{% endfor %}', '<p>/a ;/other good;</p>'],
    [
      '{{ page.previous.title }} {{ page.next.title }} {{ page.relative_path }}',
      '<p>Other  _posts/2020-05-06-a.md</p>',
    ],
    [
      '{% for c in site.categories %}{{ c[0] }}: {{ c[1][0].title }}{% endfor %} {{ site.tags.x.size }}',
      '<p>News: Other 1</p>',
    ],
    ['{{count}}', '<p>9</p>'],
  ])('%j becomes %j', async (text, html) => {
    expect(await read(text)).toEqual({ body: html, losses: [] });
  });

  it.each([
    ['a {% nothing.html %}b', 'liquid tag nothing'],
    ['{% wrap x %}in{% endwrap %}', 'liquid tag wrap'],
    ['{% include gone.html %}', 'include gone.html missing'],
    ['{% post_url 2020-01-01-gone %}', 'liquid tag post_url to a missing file'],
    ['{% include again.html %}x', 'text with Liquid that cannot be run'],
    ['{% if %}x', 'text with Liquid that cannot be run'],
    ['{% for p in site.posts %}{{ p.excerpt }}{% endfor %}x', 'liquid value excerpt of a post'],
    ['{{ site.posts.first.content | strip_html }}x', 'liquid value content of a post'],
    ['{{ site.documents.size }}x', 'liquid value site.documents'],
    ['{{ site.notes[0].title }}x', 'liquid value site.notes'],
    ['{% for i in (1..1000000000) %}x{% endfor %}', 'text with Liquid that cannot be run'],
  ])('%j is a loss: %s', async (text, loss) => {
    expect((await read(text)).losses).toEqual([loss]);
  });
});

describe('kramdown', () => {
  it.each([
    ['text [#1][]\n\n[#1]: /one\n[#2]: /two', '<p>text <a href="/one">#1</a></p>'],
    ['<div>\n\n    <p>a</p>\n\n</div>\n\nb', '<div>\n    <p>a</p>\n</div>\n<p>b</p>'],
    ['<div markdown="1">\n\n*a*\n\n</div>', '<div markdown="1">\n<p><em>a</em></p>\n</div>'],
    ['```\n<div>\n\n[a]: b\n```', '<pre><code>&lt;div&gt;\n\n[a]: b\n</code></pre>'],
    ['<div>\n\n*open*', '<div>\n<p><em>open</em></p>'],
    ['a\n{: .wide}', '<p>a\n</p>'],
    ['# a #\n #  b', '<h1 id="a">a</h1>\n<p>#  b</p>'],
    ['- a\n\n  ## b\n\n   ## c', '<ul>\n<li>\n<p>a</p>\n<h2 id="b">b</h2>\n<p>## c</p>\n</li>\n</ul>'],
    ['Term\n: what it is', '<dl>\n<dt>Term</dt>\n<dd>what it is</dd>\n</dl>'],
    ['Term\n\n~ So it ends.', '<p>Term</p>\n<p>~ So it ends.</p>'],
    ['为什么？**因为。**在', '<p>为什么？<strong>因为。</strong>在</p>'],
  ])('%j becomes %j', async (text, html) => {
    expect((await read(text)).body).toBe(html);
  });
});
