import { describe, expect, it } from 'vitest';
import { textCases } from '../../text-cases.ts';
import { attachment, bodyOf, item, type ItemFields, meta, readExport, wxr } from './export.ts';

const pattern = (id: string, content: string, fields: ItemFields = {}) =>
  item({ 'wp:post_id': id, 'wp:post_type': 'wp_block', 'content:encoded': content, ...fields });

const CASES = textCases(new URL('./body.txt', import.meta.url));
const BINDINGS = CASES.get('what a block is bound to');

describe.each([...CASES].filter(([, cases]) => cases !== BINDINGS))('%s', (_heading, cases) => {
  it.each(cases)('%s', async (content = '', body = '') => expect(await bodyOf(content)).toBe(body));
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

  it('includes what it refers to: patterns and footnotes', async () => {
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
    const patterns =
      pattern('7', heading.replaceAll('wp:heading', 'wp:core/heading')) +
      pattern('8', `<!-- wp:block {"ref":7} /-->${heading}`);
    expect(await bodyOf(`<!-- wp:block ${block} /-->`, '', patterns)).toBe(expected);
  });

  it.each(BINDINGS ?? [])('shows what it is bound to: %s', async (binding = '', html, shown, lost = '') => {
    const [block, attribute = '', source, key] = binding.split(' ');
    const bindings = { [attribute]: { source, args: { key } } };
    const content = `<!-- wp:${block} ${JSON.stringify({ metadata: { bindings } })} -->${html}<!-- /wp:${block} -->`;
    const fields = meta('field', 'A <b>value</b>') + meta('image', '/a.png?b&c') + meta('_secret', 'x');
    const read = await readExport(wxr(item({ 'content:encoded': content }, fields)));
    expect(read.posts[0]?.body).toBe(shown);
    expect(read.lost).toEqual(lost === '' ? [] : [`binding ${lost}`]);
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

  it.each([
    ['a deleted pattern', { 'wp:status': 'trash' }],
    ['a private pattern', { 'wp:status': 'private' }],
    ['a pattern with a password', { 'wp:post_password': 'x' }],
  ])('is not included from %s', async (_what, fields) => {
    const secret = pattern('7', '<p>secret</p>', fields);
    expect(await bodyOf('<p>a</p><!-- wp:block {"ref":7} /-->', '', secret)).toBe('<p>a</p>');
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
  // All but the galleries are longer than any string can be: they must be refused while they expand.
  it.each([
    [
      'galleries',
      '[gallery ids="9,9,9,9,9,9,9,9,9,9"]'.repeat(1000),
      attachment('9', '/a.png', '', { 'excerpt:encoded': 'x'.repeat(100_000) }),
    ],
    [
      'footnotes',
      '<!-- wp:footnotes /-->'.repeat(6000),
      meta('footnotes', `[{"id":"a","content":"${'x'.repeat(100_000)}"}]`),
    ],
    [
      'fields',
      '<!-- wp:heading {"metadata":{"bindings":{"content":{"source":"core/post-meta","args":{"key":"a"}}}}} --><h2>'.repeat(
        6000,
      ),
      meta('a', 'x'.repeat(100_000)),
    ],
    [
      'patterns',
      '<!-- wp:block {"ref":9} /-->'.repeat(1000),
      pattern('9', '<!-- wp:block {"ref":9} /-->'.repeat(1000)),
    ],
  ])('is left out and named, by its %s', async (what, content, other) => {
    const [own, more] = what === 'patterns' || what === 'galleries' ? ['', other] : [other, ''];
    const { posts, skipped } = await readExport(wxr(item({ 'content:encoded': content }, own) + more));
    expect(posts).toEqual([]);
    expect(skipped[0]).toMatch(/expands to more than 8000000 characters \("One"\)$/);
  });
});
