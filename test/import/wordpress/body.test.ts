import { describe, expect, it } from 'vitest';
import { attachment, bodyOf, item, meta, readExport, wxr } from './export.ts';

const YOUTUBE = '<iframe src="https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ" allowfullscreen></iframe>';

describe('a body of the classic editor', () => {
  it('gets its paragraphs and line breaks', async () => {
    expect(await bodyOf('One\r\ntwo\r\n\r\n&nbsp;\r\n\r\nthree\r\n<h2>Four</h2>\r\nfive')).toBe(
      '<p>One<br />\ntwo</p>\n<p>three</p>\n<h2>Four</h2>\n<p>five</p>',
    );
  });

  it('keeps figures and code whole', async () => {
    const figures = '<figure><img src="a.png">\n<figcaption>A</figcaption></figure>';
    const code = '<pre>a\n\nb [gallery ids="1"]\nhttps://youtu.be/dQw4w9WgXcQ\n</pre>';
    expect(await bodyOf(`One\n${figures}\n${figures}\ntwo\n\n${code}`)).toBe(
      `<p>One</p>\n${figures}\n${figures}\n<p>two</p>\n${code}`,
    );
  });
});

describe('a body of the block editor', () => {
  it('is unchanged, without the comments of blocks', async () => {
    const body = await bodyOf(
      '<!-- wp:paragraph {"x":"\\u002d\\u002d>"} -->\n<p>One\ntwo</p>\n<!-- /wp:paragraph -->\n\n' +
        '<!-- wp:paragraph -->\n<p></p>\n<!-- /wp:paragraph -->\n\n' +
        '<!-- wp:latest-posts /-->\n\n<!-- wp:more -->\n<!--more-->\n<!-- /wp:more -->\n\n<!-- wp:nextpage -->\n<!--nextpage-->\n<!-- /wp:nextpage -->\n' +
        '<!-- wp:code -->\n<pre class="wp-block-code"><code>a\n\n&lt;!-- wp:x -->\n[b c="d"]</code></pre>\n<!-- /wp:code -->',
    );
    expect(body.replace(/\n+/g, '\n')).toBe(
      '<p>One\ntwo</p>\n<pre class="wp-block-code"><code>a\n&lt;!-- wp:x -->\n[b c="d"]</code></pre>',
    );
    expect(body).toContain('a\n\n&lt;');
  });

  it('has its embeds as players, or as links', async () => {
    const block = (url: string) =>
      `<!-- wp:embed {"url":"${url}","type":"video"} -->\n<figure class="wp-block-embed"><div class="wp-block-embed__wrapper">\n${url}\n</div><figcaption>C</figcaption></figure>\n<!-- /wp:embed -->`;
    expect(await bodyOf(block('https://youtu.be/dQw4w9WgXcQ'))).toBe(
      `<figure class="wp-block-embed"><div class="wp-block-embed__wrapper">\n${YOUTUBE}\n</div><figcaption>C</figcaption></figure>`,
    );
    expect(await bodyOf(block('https://x.example/1?a=2&amp;b=3'))).toContain(
      '\n<a href="https://x.example/1?a=2&amp;b=3">https://x.example/1?a=2&amp;b=3</a>\n',
    );
    expect(await bodyOf('<!-- wp:core-embed/youtube {"url":"https://youtu.be/dQw4w9WgXcQ"} /-->')).toBe(
      YOUTUBE,
    );
  });

  it('includes what it refers to: patterns and footnotes', async () => {
    const pattern = (id: string, content: string) =>
      item({ 'wp:post_id': id, 'wp:post_type': 'wp_block', 'content:encoded': content });
    const body = await bodyOf(
      '<!-- wp:block {"ref":7} /-->\n<!-- wp:block {"ref":99} /-->\n<p>T<sup data-fn="f" class="fn"><a href="#f" id="f-link">1</a></sup></p>\n<!-- wp:footnotes /-->',
      meta('footnotes', '[{"content":"A <em>note</em>.","id":"f"},null]'),
      pattern('7', '<!-- wp:paragraph --><p>Shared.</p><!-- /wp:paragraph --><!-- wp:block {"ref":7} /-->'),
    );
    expect(body).toContain('<p>Shared.</p>');
    expect(body).toContain('<ol class="wp-block-footnotes"><li id="f">A <em>note</em>. <a href="#f-link">');
    expect(body).not.toContain('<!--');
  });

  // Compared with WordPress 7.1.
  it.each([
    ['{"ref":7,"content":{"H":{"content":"My <em>own</em> $&"}}}', '<h3>My <em>own</em> $&</h3>'],
    ['{"overrides":{"H":{"values":{"content":""}}},"ref":7}', '<h3></h3>'],
    ['{"ref":7,"content":{"Other":{"content":"x"}}}', '<h3>Default</h3>'],
    // A pattern in a pattern has its own.
    ['{"ref":8,"content":{"H":{"content":"Outer"}}}', '<h3>Default</h3><h3>Outer</h3>'],
  ])('has its own texts instead of a pattern’s: %s', async (block, expected) => {
    const heading =
      '<!-- wp:heading {"level":3,"metadata":{"name":"H","bindings":{"__default":{"source":"core/pattern-overrides"}}}} -->' +
      '<h3>Default</h3><!-- /wp:heading -->';
    const pattern = (id: string, content: string) =>
      item({ 'wp:post_id': id, 'wp:post_type': 'wp_block', 'content:encoded': content });
    const patterns =
      pattern('7', heading.replaceAll('wp:heading', 'wp:core/heading')) +
      pattern('8', `<!-- wp:block {"ref":7} /-->${heading}`);
    expect(await bodyOf(`<!-- wp:block ${block} /-->`, '', patterns)).toBe(expected);
  });

  it.each([
    ['paragraph content core/post-meta field', '<p id="a">Default</p>', '<p id="a">A <b>value</b></p>'],
    ['paragraph content core/post-meta _secret', '<p>Default</p>', '<p>Default</p>'],
    ['paragraph content core/post-meta none', '<p>Default</p>', '<p>Default</p>', 'core/post-meta'],
    ['paragraph content acf/field field', '<p>Default</p>', '<p>Default</p>', 'acf/field'],
    ['paragraph content core/post-data date', '<p></p>', '<p>2020-01-02T05:04:05+02:00</p>'],
    ['list-item content core/post-meta field', '<li>a<ul></ul>', '<li>A <b>value</b>'],
    [
      'image url core/post-meta image',
      '<img alt="a > b" src="/d.png">',
      '<img src="/a.png?b&amp;c" alt="a > b">',
    ],
    [
      'image caption core/post-meta field',
      '<figcaption>D</figcaption>',
      '<figcaption>A <b>value</b></figcaption>',
    ],
    ['button url core/post-data link', '<a>D</a>', '<a href="https://blog.example/2020/one/">D</a>'],
    ['button text core/post-meta field', '<button>D</button>', '<button>A <b>value</b></button>'],
  ])('shows what it is bound to: %s', async (binding, html, shown, lost = '') => {
    const [block, attribute = '', source, key] = binding.split(' ');
    const bindings = { [attribute]: { source, args: { key } } };
    const content = `<!-- wp:${block} ${JSON.stringify({ metadata: { bindings } })} -->${html}<!-- /wp:${block} -->`;
    const fields = meta('field', 'A <b>value</b>') + meta('image', '/a.png?b&c') + meta('_secret', 'x');
    const read = await readExport(wxr(item({ 'content:encoded': content }, fields)));
    expect(read.posts[0]?.body).toBe(shown);
    expect(read.lost).toEqual(lost === '' ? [] : [`binding ${lost}`]);
  });

  it('recognises a block of shortcodes, which has no other content', async () => {
    expect(
      await bodyOf('<!-- wp:shortcode -->\n[my-form]\n<!-- /wp:shortcode --><p>[my-form] stays</p>'),
    ).toBe('<p>[my-form] stays</p>');
  });
});

describe('content for members', () => {
  it.each([
    '[members_only]secret[/members_only]',
    '[restrict userlevel="1"]secret[/restrict]',
    '[wcm_restrict plans="gold"]secret[/wcm_restrict]',
    '[private]\n\nsecret [gallery]\n\n[/private]',
    '<!-- wp:premium-content/subscriber-view --><p>secret</p><!-- /wp:premium-content/subscriber-view -->',
    '<!-- wp:premium-content/subscriber-view {"a":1} -->\n<!-- wp:premium-content/subscriber-view -->secret' +
      '<!-- /wp:premium-content/subscriber-view -->secret\n<!-- /wp:premium-content/subscriber-view -->',
  ])('is removed: %s', async (text) => {
    expect(await bodyOf(`<p>before</p>${text}<p>after</p>`)).toMatch(/^<p>before<\/p>\s*<p>after<\/p>$/);
  });

  it('is kept in code examples', async () => {
    expect(await bodyOf('<pre>[private]x[/private]</pre>')).toBe('<pre>[private]x[/private]</pre>');
  });

  it.each([
    ['a deleted pattern', { 'wp:status': 'trash' }],
    ['a private pattern', { 'wp:status': 'private' }],
    ['a pattern with a password', { 'wp:post_password': 'x' }],
  ])('is not included from %s', async (_what, fields) => {
    const pattern = item({
      'wp:post_type': 'wp_block',
      'wp:post_id': '7',
      'content:encoded': '<p>secret</p>',
      ...fields,
    });
    expect(await bodyOf('<p>a</p><!-- wp:block {"ref":7} /-->', '', pattern)).toBe('<p>a</p>');
  });

  it('is not included by the marker of a figure', async () => {
    const body = await bodyOf('[caption]<img src="/a.png"> A[/caption]\n\n<hr data-kept="0">\n\nend');
    expect(body.match(/<figure/g)).toHaveLength(1);
  });
});

describe('losses', () => {
  it('name each part that differs from WordPress', async () => {
    const content = `[table id=1 /] [rev_slider alias="x"] [et_pb_image alt="A"] <!-- wp:acf/thing {"a":1} /-->
[my_form id="1"][my_form id="2"] [box]in it[/box] [contact-form-7 id="3"] [members_only]x[/members_only]
[iframe src="javascript:x"] [caption]<img src="/a.png"> A[/caption] [not one] [code]a[/code]<!--more-->
<!-- wp:latest-posts {"postsToShow":3} /--><!-- wp:spacer /--><!-- wp:block {"ref":9} /-->
<!-- wp:paragraph --><p>x $latex a^2$ <code>$latex b$</code> $latex</p><!-- /wp:paragraph -->`;
    const { lost } = await readExport(
      wxr(item({ 'content:encoded': content, 'excerpt:encoded': '[other a="b"]' })),
    );
    expect(lost.toSorted()).toEqual([
      '2 × shortcode my_form',
      'block acf/thing',
      'block latest-posts',
      'formula',
      'part for members',
      'pattern',
      'shortcode box',
      'shortcode contact-form-7',
      'shortcode et_pb_image',
      'shortcode iframe',
      'shortcode rev_slider',
      'shortcode table',
    ]);
  });
});

describe('shortcodes', () => {
  it.each<readonly [content: string, body: string]>([
    // Captions, new and old.
    [
      '[caption id="attachment_6" align="alignleft" width="300"]<a href="/b"><img src="/a.png" /></a> The <em>text</em>.[/caption]',
      '<figure class="wp-caption alignleft"><a href="/b"><img src="/a.png" /></a><figcaption class="wp-caption-text">The <em>text</em>.</figcaption></figure>',
    ],
    [
      '[wp_caption caption="It’s &lt;old&gt;"]<img src="/a.png" />[/wp_caption]',
      '<figure class="wp-caption"><img src="/a.png" /><figcaption class="wp-caption-text">It’s &lt;old&gt;</figcaption></figure>',
    ],
    ['[caption]Only text[/caption]', '<p>Only text</p>'],
    // Text in brackets that contains HTML.
    [
      'Thanks [and the guy who wrote :: <a href="https://x.example/?a=b">it</a> too] again',
      '<p>Thanks [and the guy who wrote :: <a href="https://x.example/?a=b">it</a> too] again</p>',
    ],
    ['[tip text="<b>so</b>" more=\'1\']After', '<p>After</p>'],
    // Players.
    ['https://www.youtube.com/watch?v=dQw4w9WgXcQ', `<p>${YOUTUBE}</p>`],
    ['[youtube=http://www.youtube.com/watch?v=dQw4w9WgXcQ&amp;w=640]', `<p>${YOUTUBE}</p>`],
    ['[youtube id="dQw4w9WgXcQ" width="600"]', `<p>${YOUTUBE}</p>`],
    ['[youtube]https://youtu.be/dQw4w9WgXcQ[/youtube]', `<p>${YOUTUBE}</p>`],
    ['[embed width="12"]https://youtu.be/dQw4w9WgXcQ?t=3[/embed]', `<p>${YOUTUBE}</p>`],
    [
      '[vimeo 123456]',
      '<p><iframe src="https://player.vimeo.com/video/123456" allowfullscreen></iframe></p>',
    ],
    [
      'https://soundcloud.com/a/b?in=c',
      '<p><iframe src="https://w.soundcloud.com/player/?url=https%3A%2F%2Fsoundcloud.com%2Fa%2Fb" allowfullscreen></iframe></p>',
    ],
    ['[embed]https://x.example/a[/embed]', '<p><a href="https://x.example/a">https://x.example/a</a></p>'],
    ['[embed]javascript:alert(1)[/embed]', ''],
    ['See https://youtu.be/dQw4w9WgXcQ there', '<p>See https://youtu.be/dQw4w9WgXcQ there</p>'],
    ['[video width="1" mp4="/v.mp4"][/video]', '<figure><video src="/v.mp4" controls></video></figure>'],
    [
      '[audio src="/1.mp3"] and [audio mp3="/2.mp3"][/audio]',
      '<figure><audio src="/1.mp3" controls></audio></figure>\n<p>and</p>\n<figure><audio src="/2.mp3" controls></audio></figure>',
    ],
    [
      '[audio http://a.example/a.mp3|titles=A]',
      '<figure><audio src="http://a.example/a.mp3" controls></audio></figure>',
    ],
    // Code: escaped once, whichever editor wrote it, and otherwise unchanged.
    [
      '[sourcecode language="Python"]\nif a < b:\n\n  [x y="z"] # <!--more-->\n[/sourcecode]',
      '<pre><code class="language-python">if a &lt; b:\n\n  [x y=&quot;z&quot;] # &lt;!--more--&gt;</code></pre>',
    ],
    ['[code]a &lt; b &amp;&amp; c[/code]', '<pre><code>a &lt; b &amp;&amp; c</code></pre>'],
    ['[php]<?php echo 1; ?>[/php]', '<pre><code class="language-php">&lt;?php echo 1; ?&gt;</code></pre>'],
    // Unknown shortcodes: the brackets are removed.
    [
      '[et_pb_section fb_built="1"][et_pb_image src="/a.png"][/et_pb_image][et_pb_text x="1"]T[/et_pb_text]',
      '<p>T</p>',
    ],
    ['[vc_row el="a"][vc_column]Kept[/vc_column][/vc_row]', '<p>Kept</p>'],
    ['[button url=”https://x.example”]Kept[/button]', '<p>Kept</p>'],
    ['a[foo bar=&quot;1&quot;]b[foo /]c', '<p>abc</p>'],
    ['[contact-form-7 id="3" title="x"] [toc]', ''],
    ['[nggallery id=5]a[polldaddy poll=123 type=slider]', '<p>a</p>'],
    [
      `[vc_raw_html css=".a{}"]${btoa(encodeURIComponent('<p>é</p>\n\n<p>[x y="z"]</p>'))}[/vc_raw_html][vc_raw_js]YQ==[/vc_raw_js]`,
      '<div><p>é</p>\n\n<p>[x y="z"]</p></div>',
    ],
    // Ordinary text in brackets is kept.
    ...[
      'sic [sic], [1], [citation needed], [Ed. note: 5 > 4], a[i], [code], [video], [text](/b), [your_name], [see page=1 too], [x = 1]',
      '[Don’t] "[quoted]" [[wiki link]] [/unopened] [ ] [] [',
    ].map((text) => [text, `<p>${text}</p>`] as const),
    ['a</code> [foo bar="1"]b</code>', '<p>a</code> b</code></p>'],
    ['Write [[gallery ids="1"]] for one', '<p>Write [gallery ids="1"] for one</p>'],
    [
      'A <img src="https://s.w.org/1f642.png" alt="🙂" class="wp-smiley"> <img src="/a.png" alt="🙂">',
      '<p>A 🙂 <img src="/a.png" alt="🙂"></p>',
    ],
    ['[[nggallery id=7]] [[code]x[/code]]', '<p>[nggallery id=7] [code]x[/code]</p>'],
    [
      '<a href="/x" title="[foo bar=\'1\']">x</a> <code>[foo bar="1"]</code>',
      '<p><a href="/x" title="[foo bar=\'1\']">x</a> <code>[foo bar="1"]</code></p>',
    ],
  ])('%s', async (content, expected) => {
    expect(await bodyOf(content)).toBe(expected);
  });

  const images =
    attachment('12', 'https://b.example/b.png', '', { 'wp:post_parent': '1', 'excerpt:encoded': 'The "B"' }) +
    attachment('11', 'https://b.example/a.png', meta('_wp_attachment_image_alt', 'An "A"'), {
      'wp:post_parent': '1',
    }) +
    attachment('13', 'https://b.example/c.pdf', '', { 'wp:post_parent': '1' });
  const A = '<figure><img src="https://b.example/a.png" alt="An &quot;A&quot;"></figure>';
  const B = '<figure><img src="https://b.example/b.png" alt=""><figcaption>The "B"</figcaption></figure>';

  it.each([
    ['[gallery ids="12,11,99"]', B + A],
    ['[gallery columns="2"]', A + B],
    ['[gallery ids="99"]', ''],
    ['[video id="13"]', '<figure><video src="https://b.example/c.pdf" controls></video></figure>'],
  ])('find the attachments of the export: %s', async (content, expected) => {
    expect(await bodyOf(content, '', images)).toBe(expected);
  });
});

describe('a short text that expands to a very long one', () => {
  it.each([
    [
      'galleries',
      '[gallery ids="9,9,9,9,9,9,9,9,9,9"]'.repeat(1000),
      attachment('9', '/a.png', '', { 'excerpt:encoded': 'x'.repeat(100_000) }),
    ],
    [
      'footnotes',
      '<!-- wp:footnotes /-->'.repeat(1000),
      meta('footnotes', `[{"id":"a","content":"${'x'.repeat(100_000)}"}]`),
    ],
    [
      'fields',
      '<!-- wp:heading {"metadata":{"bindings":{"content":{"source":"core/post-meta","args":{"key":"a"}}}}} --><h2>'.repeat(
        1000,
      ),
      meta('a', 'x'.repeat(100_000)),
    ],
    [
      'patterns',
      '<!-- wp:block {"ref":9} /-->'.repeat(1000),
      item({
        'wp:post_type': 'wp_block',
        'wp:post_id': '9',
        'content:encoded': '<!-- wp:block {"ref":9} /-->'.repeat(1000),
      }),
    ],
  ])('is left out and named, by its %s', async (what, content, other) => {
    const [own, more] = what === 'patterns' || what === 'galleries' ? ['', other] : [other, ''];
    const { posts, skipped } = await readExport(wxr(item({ 'content:encoded': content }, own) + more));
    expect(posts).toEqual([]);
    expect(skipped[0]).toMatch(/expands to more than 8000000 characters \("One"\)$/);
  });
});
