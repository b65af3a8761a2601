import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutTemplates } from '../../import/markdown/losses.ts';
import { folderOf, readFolder } from './folder.ts';

function read(text: string, isMarkdown = true): [text: string, losses: string[]] {
  const losses: string[] = [];
  return [withoutTemplates(text, isMarkdown, (what) => losses.push(what)), losses];
}

describe('what only a generator can render', () => {
  it.each([
    ['[a]({{ site.baseurl }}/x)', '[a](/x)', ['template value']],
    ['{{- page.title -}} b', ' b', ['template value']],
    ['a{# a comment #}b', 'ab', ['template comment']],
    ['a {% post_url 2013-05-06-one %}', 'a ', ['template tag post_url']],
    ['{% if x %}one{% else %}two{% endif %} b', 'one b', ['template tag if']],
    ['{%- if x -%}a{% elsif y %}b{{ c }}{% else %}d{% endif %}e', 'ae', ['template tag if']],
    ['{% if x %}a{% else %}{% if y %}b{% endif %}c{% endif %}d', 'ad', ['template tag if']],
    [
      '{% if x %}{% for a in b %}c{% else %}d{% endfor %}e{% endif %}',
      'ce',
      ['template tag if', 'template tag for'],
    ],
    ['{{ if .x }}a{{ else }}b{{ end }}', 'a', ['template value']],
    ['{% unless x %}a{% else %}b{% endunless %}c', 'c', ['template tag unless']],
    ['{% case x %}{% when 1 %}a{% else %}b{% endcase %}c', 'c', ['template tag case']],
    ['{% if x %}a\n{% else %}\n```\nb\n{% endif %}\n```\n', 'a\n', ['template tag if']],
    ['a {% else %} b', 'a  b', ['template tag else']],
    ['a {{{ x }}} b', 'a  b', ['template value']],
    ['a {{ "b }}" }} c', 'a  c', ['template value']],
    ['a {{ b" }} c {{ d" }} e', 'a  c  e', ['template value', 'template value']],
    ['a \\{{ x }} b', 'a  b', ['template value']],
    ['{%- for i in x -%}text{%- endfor -%}', 'text', ['template tag for']],
    ['a{% comment %}hidden {% if y %}{% endcomment %}b', 'ab', ['template tag comment']],
    ['{% highlight ruby %}\nputs 1\n{% endhighlight %}\n', 'puts 1\n', ['template tag highlight']],
    ['a {{< youtube id >}} b', 'a  b', ['shortcode youtube']],
    ['{{% note "x" %}}\nin\n{{% /note %}}\n', 'in\n', ['shortcode note']],
    ['{{< comment >}}hidden{{< /comment >}}b', 'b', ['shortcode comment']],
    ['{{ youtube(id="x") }} {% aside() %}in{% end %}', ' in', ['shortcode youtube', 'shortcode aside']],
    ['## Title {#own .x}\n', '## Title \n', ['attribute list']],
    ['text\n{: .note #x}\nmore', 'text\nmore', ['attribute list']],
    ['[b](/c){:target="_blank"} d', '[b](/c) d', ['attribute list']],
    ['![](a.png){.wide}', '![](a.png)', ['attribute list']],
    ['![](a.png){width=50%} b', '![](a.png) b', ['attribute list']],
    ['[a]{.x} `b`{#c}, d', '[a] `b`, d', ['attribute list', 'attribute list']],
    ['{a=b} (c) {d=e}', '{a=b} (c) {d=e}', []],
    [':::tip Title\nin\n:::\n', 'in\n', ['container tip']],
    ['::: {.x}\nin\n:::\n', 'in\n', ['container ::: {.x}']],
  ])('is removed from %j, and named', (text, rest, losses) => {
    expect(read(text)).toEqual([rest, losses]);
  });

  it.each([
    '`{{ x }}` ``{% y %}`` ```\n{{ z }}\n```',
    '```\n{{< x >}} {: .a}\n:::tip\n```\n',
    '- a\n\n  ~~~\n  {{ x }}\n  ~~~\n',
    '    {{ indented }}\n',
    '    :::python\n    x = 1\n',
    '<pre>{{ x }}</pre> <code>{% y %}</code> <!-- {{ z }} -->',
    'a { b } {c} {1} \\{: x} f({a: 1}) {.5} {#} :: ::: {{ unclosed',
    '{{ a\n\nb }}',
    '::: ',
    '$\\sum_{i}$',
  ])('is not seen in %j', (text) => {
    expect(read(text)).toEqual([text, []]);
  });

  it('is text between marks that say so', () => {
    expect(read('{% raw %}{{ kept }}{% endraw %} {{</* kept */>}}')).toEqual(['{{ kept }} {{< kept >}}', []]);
    expect(read('{% raw %}\n```\n{{ x }}\n```\n{% endraw %}\n{{ y }}')).toEqual([
      '\n```\n{{ x }}\n```\n\n',
      ['template value'],
    ]);
  });

  it('leaves no blank line that would end an element', () => {
    expect(read('<div>\n  {{ x }}\n<b>\n</div>')[0]).toBe('<div>\n<b>\n</div>');
  });

  it('in HTML is template tags, outside of elements with code', () => {
    expect(read('<p>`{{ x }}` {: .y}</p>\n<pre>{{ z }}</pre>', false)).toEqual([
      '<p>`` {: .y}</p>\n<pre>{{ z }}</pre>',
      ['template value'],
    ]);
  });

  it('is not searched for in other characters: no text is lost or gained without one', () => {
    const sign = fc.constantFrom(...'{}%<>#:.`\n a"-*', '{{', '}}', '{%', '%}');
    fc.assert(
      fc.property(fc.array(sign, { maxLength: 60 }), (signs) => {
        const text = signs.join('');
        const [rest, losses] = read(text);
        if (losses.length === 0 && rest !== text)
          expect(text).toMatch(/\{%-?\s*(?:end|\/)|\{\{[<%]\s*\/|:::/);
      }),
    );
  });
});

it('a category or tag that only a generator can render is a loss', async () => {
  const text = "---\ndate: 2020-01-01\ntags: [a, '{{x}}']\ncategory: '{{ y }}'\n---\nText.";
  const { posts, items } = await readFolder(folderOf({ 'a.md': text }));
  expect(posts.get('a.md')).toMatchObject({ category: null, tags: [{ name: 'a' }] });
  expect(items.filter(({ kind }) => kind === 'loss')).toHaveLength(2);
});
