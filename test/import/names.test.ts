import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAddress } from '../../import/article/address.ts';
import { decodePercent, tidySlug } from '../../common/content/slug.ts';
import { termSlug } from '../../common/content/term-slug.ts';
import { toTerms } from '../../import/article/taxonomy.ts';
import { htmlToText } from '../../common/content/html-text.ts';
import { tidyText } from '../../common/content/text.ts';

describe('termSlug', () => {
  it.each([
    ['Release Notes', 'release-notes'],
    ['C', 'c'],
    ['C++', 'c-plus-plus'],
    ['C#', 'c-sharp'],
    ['F#', 'f-sharp'],
    ['.NET', 'dot-net'],
    ['ASP.NET Core', 'asp-net-core'],
    ['Node.js', 'node-js'],
    ['Google+', 'google-plus'],
    ['#rust', 'rust'],
    ['R&D', 'r-d'],
    ['  --U.S. Digital  Service-- ', 'u-s-digital-service'],
    ['código', 'código'],
    ['Программирование', 'программирование'],
    ['文档', '文档'],
    ['हिन्दी', 'हिन्दी'],
    ['ＦＵＬＬ', 'full'],
    ['🎉', 'u-1f389'],
    [' ', ''],
  ])('of %j is %j', (name, slug) => {
    expect(termSlug(name)).toBe(slug);
  });

  it('returns slugs unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        const slug = termSlug(name);
        expect(slug).toMatch(/^[\p{L}\p{M}\p{N}]*(?:-[\p{L}\p{M}\p{N}]+)*$/u);
        expect(slug === '').toBe(name.trim() === '');
        expect(termSlug(slug)).toBe(slug);
      }),
    );
  });
});

describe('toTerms', () => {
  it('keeps the order and the first spelling', () => {
    expect(toTerms(['Rust', ' c++ ', 'RUST', '', 'C++', 'Go'])).toEqual([
      { slug: 'rust', name: 'Rust' },
      { slug: 'c-plus-plus', name: 'c++' },
      { slug: 'go', name: 'Go' },
    ]);
  });
});

describe('tidySlug', () => {
  it.each([
    ['Rust-1.88.0', 'Rust-1.88.0'],
    ['Мнение-о-chef', 'Мнение-о-chef'],
    ['escape-+ %20[]', 'escape-+-20-'.replace(/-$/, '')],
    ['hash-#1', 'hash-1'],
    ['trailing-dots..', 'trailing-dots'],
    ['../../etc/passwd', 'etc-passwd'],
    ['a\u0000b\tc', 'a-b-c'],
    ['a\u202Ec', 'ac'],
    ['\u200Fa\u200Bb\u2060\u00AD\uFEFF', 'ab'],
    ['a\u2066b\u2069\u200D\u3164', 'ab'],
    ['می\u200Cخواهم', 'می\u200Cخواهم'],
    ['क्\u200Dष\u200D.', 'क्\u200Dष'],
    ['👩\u200D💻', '👩\u200D💻'],
    ['e\u200B\u0301', 'é'],
    ['..', ''],
  ])('of %j is %j', (text, slug) => {
    expect(tidySlug(text)).toBe(slug);
  });

  it('contains no path separators, and is safe in an address', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const slug = tidySlug(text);
        expect(slug).not.toMatch(/^\.|[\s/\\?#%]/);
        expect(tidySlug(slug)).toBe(slug);
        expect(new URL(`https://blog.example/posts/${encodeURIComponent(slug)}`).pathname).toMatch(
          /^\/posts\//,
        );
      }),
    );
  });
});

describe('decodePercent', () => {
  it('decodes once, and leaves invalid encodings unchanged', () => {
    expect(decodePercent('%D0%9C')).toBe('М');
    expect(decodePercent('%252e')).toBe('%2e');
    expect(decodePercent('100%')).toBe('100%');
  });
});

describe('parseAddress', () => {
  it.each([
    ['2025/06/26/Rust-1.88.0', '/2025/06/26/Rust-1.88.0', 'Rust-1.88.0'],
    ['it/Мнение-о-chef', '/it/Мнение-о-chef', 'Мнение-о-chef'],
    ['/blog/%D0%BE/', '/blog/%D0%BE/', 'о'],
    ['/2015/hello.html', '/2015/hello.html', 'hello'],
    ['/blog/hello/index.html', '/blog/hello/index.html', 'hello'],
    ['/with space/', '/with%20space/', 'with-space'],
    ['https://old.example/a/b?p=1', 'https://old.example/a/b?p=1', 'b'],
    ['/a?b#c', '/a', 'a'],
    ['/talks/q:a/', '/talks/q:a/', 'q:a'],
    ['/10:30', '/10:30', '10:30'],
  ])('reads %s', (written, url, slug) => {
    expect(parseAddress(written)).toEqual({ url, slug });
  });

  it.each([
    ...['', 'pretty', '/:year/:month/:title/', ':slug', '/blog/{{ title | slug }}/', '../up', '/a/../../b'],
    ...['/%2e%2e/%2e%2e/%2e%2e/baddie.html', '/a\\..\\b', '/a%2f..%2fb', '//evil.example/x'],
    ...['javascript:alert(1)', 'file:///etc/passwd', 'https://'],
  ])('rejects %j', (written) => {
    expect(parseAddress(written)).toBeNull();
  });

  it('never leaves the site through a path', () => {
    const part = fc.constantFrom(...'.. . / // %2e %2E%2e %2f %5c \\ a % : ?'.split(' '), ' ', '\t');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const address = parseAddress(parts.join(''));
        if (address === null) return;
        const url = new URL(address.url, 'https://blog.example/top/');
        expect(url.origin).toBe('https://blog.example');
        expect(url.pathname.split('/').map(decodePercent).join('/').split(/[\\/]/)).not.toContain('..');
      }),
    );
  });
});

describe('text', () => {
  it('of HTML has no tags, no scripts, decoded entities and single spaces', () => {
    expect(htmlToText('<p>A &amp; <em>b</em></p><p>c&nbsp;&lt;d&gt; &eacute;<script>x()</script></p>')).toBe(
      'A & b c <d> é',
    );
  });

  it('of a file has no byte order mark, no carriage returns, no control characters', () => {
    expect(tidyText('\uFEFFa\r\nb\rc\u0000d\fe\tf')).toBe('a\nb\ncde\tf');
  });
});
