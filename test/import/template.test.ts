import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COMMONMARK } from '../../common/content/markdown.ts';
import type { Surroundings } from '../../import/markdown/tag.ts';
import { pagePath, sitePath } from '../../import/markdown/paths.ts';
import { expandTemplates } from '../../import/markdown/template.ts';

function surroundings(liquid: boolean, bundle: string | null = null): Surroundings {
  return {
    liquid,
    frontMatter: { title: 'Hello', image: 'assets/a.png', date: '2010-01-10 13:07:09' },
    config: { repository: 'https://git.example/blog' },
    assetPath: (written) => sitePath(written, bundle),
    pagePath: (file) => pagePath(file, {}),
    lose: () => undefined,
    shortcodes: null,
    depth: 0,
    dialect: COMMONMARK,
    keep: null,
  };
}
const liquid = (text: string) => expandTemplates(text, surroundings(true));
const hugo = (text: string) => expandTemplates(text, surroundings(false, '/posts/hello/'));

describe('Liquid and Nunjucks', () => {
  it.each([
    ['{% highlight ruby %}\nputs "{{ x }}"\n{% endhighlight %}', '```ruby\nputs "{{ x }}"\n```'],
    ['{%\n  highlight\n  ruby\n%}\n{% raw\n%}a{% endraw %}\n{% endhighlight %}', '```ruby\na\n```'],
    ['{% highlight md %}\n```\n{% endhighlight %}', '````md\n```\n````'],
    ['1. x\n   {% highlight sh %}\n   ls\n   {% endhighlight %}', '1. x\n   ```sh\n   ls\n   ```'],
    ['[a]({{ "/2015/x/" | url }})', '[a](/2015/x/)'],
    ['[a]({{ "/2015/\nx/" | relative_url }})', '[a](/2015/x/)'],
    ['![]({{ image | url }})', '![](/assets/a.png)'],
    ['[a]({{ site.baseurl }}/x)', '[a](/x)'],
    ['[a]({{ site.repository }}/issues/1)', '[a](https://git.example/blog/issues/1)'],
    ['{{ page.title | upcase }}', 'HELLO'],
    ['{{ page.date | date_to_string }}', '2010-01-10'],
    ['{{- page.title -}}', 'Hello'],
    ['by {{ "maya" | team_link }}', 'by maya'],
    ['{{ "maya" | team_photo }}', ''],
    ['[a]({% link _posts/2017-01-18-jekyll-3.markdown %})', '[a](/2017/01/18/jekyll-3.html)'],
    ['[a]({% link _docs/history.md %}#v3)', '[a](/docs/history.html#v3)'],
    ['[a]({% post_url 2013-05-06-one %})', '[a](/2013/05/06/one.html)'],
    ['{% raw %}{{ kept }}{% endraw %}', '{{ kept }}'],
    ['a{# a comment #}b', 'ab'],
    ['a{% comment %}x {% if y %}{% endcomment %}b', 'ab'],
    ['{% for i in x %}[{{ i }}]: /{{ i }}\n{% endfor %}end', 'end'],
    ['{% for i in x %}text{% endfor %}', 'text'],
    ['{% if x %}one{% endif %}', 'one'],
    ["{% comment Don't %}x", 'x'],
    ['{% image "assets/a.png" "A photo" %}', '<img src="/assets/a.png" alt="A photo">'],
    [
      '{% image_with_class "assets/a.png" "wide" "A %} photo" %}',
      '<img src="/assets/a.png" alt="A %} photo">',
    ],
    [
      '{% include figure.html src="/a.png" caption="A > b" %}',
      '<figure><img src="/a.png" alt=""><figcaption>A &gt; b</figcaption></figure>',
    ],
    ['{% include "linked-figure.html", image: "/a.png", alt: "x" %}', '<img src="/a.png" alt="x">'],
    [
      '{% include youtube.html id="w7Ft2ymGmfc" %}',
      '<iframe src="https://www.youtube-nocookie.com/embed/w7Ft2ymGmfc" allowfullscreen></iframe>',
    ],
    [
      '{{ "https://v.example/1" | embed: "A film" }}',
      '<iframe src="https://v.example/1" title="A film" allowfullscreen></iframe>',
    ],
    ['{{ "javascript:x()" | embed }}', ''],
    ['an open {{ brace and {% another', 'an open {{ brace and {% another'],
  ])('%j becomes %j', (text, markdown) => {
    expect(liquid(text)).toBe(markdown);
  });

  it('leaves no blank line inside an HTML element, where it would end the element', () => {
    expect(liquid('<div>\n\t{{ "a" | team_photo }}\n\t<p>x</p>\n</div>')).toBe('<div>\n\t<p>x</p>\n</div>');
  });
});

describe('Hugo', () => {
  it.each([
    ['{{< highlight go "linenos=table" >}}\nfmt\n{{< / highlight >}}', '```go\nfmt\n```'],
    ['{{< mermaid >}}\ngraph LR\n    A --> B\n{{< /mermaid >}}', '```mermaid\ngraph LR\n    A --> B\n```'],
    ['{{< admonition tip "T" >}}\n**in**\n{{< /admonition >}}', '\n**in**\n'],
    ['{{% notice %}}in{{% /notice %}}', 'in'],
    ['a {{< version 0.2.0 >}} b', 'a  b'],
    [
      '{{< youtube w7Ft2ymGmfc >}}',
      '<iframe src="https://www.youtube-nocookie.com/embed/w7Ft2ymGmfc" allowfullscreen></iframe>',
    ],
    [
      '{{< vimeo 146022717 >}}',
      '<iframe src="https://player.vimeo.com/video/146022717" allowfullscreen></iframe>',
    ],
    ['{{< figure src="a.png" alt="x" >}}', '<img src="/posts/hello/a.png" alt="x">'],
    ['{{< link "https://a.example" A >}}', '<a href="https://a.example">A</a>'],
    ['{{< link "javascript:x" A >}}', ''],
    [
      '{{< gist spf13 7896402 >}}',
      '<a href="https://gist.github.com/spf13/7896402">https://gist.github.com/spf13/7896402</a>',
    ],
    [
      '{{< x user=GoHugoIO id=91735 >}}',
      '<a href="https://x.com/GoHugoIO/status/91735">https://x.com/GoHugoIO/status/91735</a>',
    ],
    ['{{< x >}}', ''],
    ['{{< x user=GoHugoIO id=latest >}}', ''],
    ['[a]({{< ref "posts/b.md#top" >}})', '[a](/posts/b/#top)'],
    ['{{< param title >}}', 'Hello'],
    ['{{< raw >}}{{< x >}}{{< /raw >}}', '{{< x >}}'],
    ['{{</* youtube x */>}}', '{{< youtube x >}}'],
    ['text with {{ braces }} and {% tags %}', 'text with {{ braces }} and {% tags %}'],
  ])('%j becomes %j', (text, markdown) => {
    expect(hugo(text)).toBe(markdown);
  });
});

describe('Zola', () => {
  it.each([
    [
      '{{ youtube(id="w7Ft2ymGmfc") }}',
      '<iframe src="https://www.youtube-nocookie.com/embed/w7Ft2ymGmfc" allowfullscreen></iframe>',
    ],
    ['{{ admonition(type="tip", text="Some **text** (here)") }}', 'Some **text** (here)'],
    ['{% aside() %}in{% end %}', 'in'],
    ['{% mermaid() %}\ngraph\n{% end %}', '```mermaid\ngraph\n```'],
    [
      '{{ dual_theme_image(light_src="img/a.webp", dark_src="b" alt="x") }}',
      '<img src="/posts/hello/img/a.webp" alt="x">',
    ],
    ['{{ toc() }}', ''],
    ['{{/* toc() */}} and {%/* end */%}', '{{ toc() }} and {% end %}'],
  ])('%j becomes %j', (text, markdown) => {
    expect(hugo(text)).toBe(markdown);
  });
});

describe('code', () => {
  it.each([
    '```liquid\n{{ site.title }}\n{% if x %}\n```',
    '~~~~\n{{ a }}\n~~~\n{{ b }}\n~~~~',
    '> ```\n> {{ a }}\n> ```',
    '- ```\n  {{ a }}\n  ```',
    '`{{ a }}` and `` {% b %} ` ``',
    'text\n\n    {{ indented }}\n\n    {% code %}\n',
    '<pre>{{ a }}</pre> <code>{% b %}</code> <!-- {{ c }} -->',
  ])('%j is unchanged', (text) => {
    expect(liquid(text)).toBe(text);
    expect(hugo(text)).toBe(text);
  });

  it('ends at its own fence', () => {
    expect(liquid('```\n{{ a }}\n```\n{{ page.title }}')).toBe('```\n{{ a }}\n```\nHello');
    expect(liquid('a ` b {{ page.title }}\n\nc ` d')).toBe('a ` b Hello\n\nc ` d');
    expect(liquid('- item\n\n    {{ page.title }}')).toBe('- item\n\n    Hello');
    expect(liquid('\\`{{ page.title }}`')).toBe('\\`Hello`');
  });

  it('loses the marks that protected it from the generator', () => {
    expect(liquid('`{% raw %}{{ a }}{% endraw %}`')).toBe('`{{ a }}`');
    expect(liquid('```\n{% raw %}{{{% endraw %} a }}\n```')).toBe('```\n{{ a }}\n```');
    expect(hugo('```\n{{</* b */>}}\n```')).toBe('```\n{{< b >}}\n```');
    expect(hugo('```\n{% raw %}a{% endraw %}\n```')).toBe('```\n{% raw %}a{% endraw %}\n```');
  });
});

describe('any text', () => {
  it('without braces is unchanged, and any text takes linear time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        const plain = text.replace(/[{}]/g, '');
        expect(liquid(plain)).toBe(plain);
      }),
    );
    const pieces = fc.constantFrom(
      '{{',
      '}}',
      '{%',
      '%}',
      '"',
      "'",
      '`',
      '```',
      '\n',
      ' ',
      'raw',
      'end',
      '<',
      '>',
      '(',
      'a',
      '/*',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
        liquid(parts.join(''));
        hugo(parts.join(''));
      }),
    );
    expect(liquid(`{{ ${'"a" '.repeat(5000)}`)).toHaveLength(20_003);
  });
});
