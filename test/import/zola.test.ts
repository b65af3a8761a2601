import { describe, expect, it } from 'vitest';
import { folderOf, readFolder } from './folder.ts';

const TEMPLATES = {
  'embed.html': '<iframe src="https://v.example/{{ id }}"{% if wide %} class="wide"{% endif %}></iframe>',
  'quote.html':
    '<blockquote>\n\n  {{ body | markdown(inline=true) | safe }}{% if by is defined %}<cite>{{ by }}</cite>{% elif x %}x{% endif %}</blockquote>',
  'note.md': '**{{ title | default(value="Note") }}** {{ body }}',
  'calls.html': '<img src="{{ get_url(path=src) }}">',
  'macros.html': '{% import "m.html" as m %}{{ m::x() }}',
  'loops.html': '{% for x in (1..9) %}{{ x }}{% endfor %}',
};

async function read(body: string) {
  const path = 'content/blog/a.md';
  const { posts, items, skipped } = await readFolder(
    folderOf({
      'config.toml': 'base_url = "https://a.example"\ntaxonomies = [{name = "series"}, {name = "topics"}]',
      ...Object.fromEntries(
        Object.entries(TEMPLATES).map(([name, text]) => [`templates/shortcodes/${name}`, text]),
      ),
      'themes/x/templates/shortcodes/embed.html': 'the theme’s',
      'content/authors/jane/_index.md': '+++\ntitle = "Jane Doe"\n[extra]\navatar = "/jane.png"\n+++\n',
      [path]: `+++\ndate = 2020-01-01\n[taxonomies]\nauthors = ["jane"]\nseries = ["S"]\ntopics = ["T"]\n+++\n${body}`,
    }),
  );
  const losses = items.flatMap((item) => (item.kind === 'loss' ? [item.loss.what] : []));
  return { post: posts.get(path), losses, skipped };
}

describe('a site of Zola', () => {
  it.each([
    ['{{ embed(id="a&b", wide=true) }}', '<iframe src="https://v.example/a&amp;b" class="wide"></iframe>'],
    ['{{ embed(id=7, wide=false) }}', '<iframe src="https://v.example/7"></iframe>'],
    ['{% quote(by="<B>") %}*a*{% end %}', '<blockquote>\n\n  <em>a</em><cite>&lt;B&gt;</cite></blockquote>'],
    ['x {% note() %}*b*{% end %}', '<p>x <strong>Note</strong> <em>b</em></p>'],
  ])('renders its plain shortcodes: %j becomes %j', async (text, html) => {
    const { post, losses } = await read(text);
    expect(post?.body).toBe(html);
    expect(losses).toEqual(['series']);
  });

  it.each(['calls', 'macros', 'loops', 'unknown'])(
    'counts the shortcode %s, which it cannot run',
    async (name) => {
      const { losses } = await read(`x {{ ${name}(a="b") }} y`);
      expect(losses).toEqual([`shortcode ${name}`, 'series']);
    },
  );

  it('has authors with pages of their own, and its own taxonomies', async () => {
    const { post, skipped } = await read('x');
    expect(post?.author).toEqual({ username: 'jane', name: 'Jane Doe', avatar: '/jane.png' });
    expect(post?.tags.map(({ name }) => name)).toEqual(['T']);
    expect(skipped.get('content/authors/jane/_index.md')).toBe('is data about authors');
  });

  it('uses the ids of headings as written', async () => {
    expect((await read('## A {#own}')).post?.body).toBe('<h2 id="own">A</h2>');
  });
});
