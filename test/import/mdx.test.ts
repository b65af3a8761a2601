import { describe, expect, it } from 'vitest';
import { withCallouts } from '../../import/markdown/callouts.ts';
import { withoutMdx } from '../../import/markdown/mdx.ts';
import { folderOf, readFolder } from './folder.ts';

describe('MDX', () => {
  it.each([
    ["import A from 'a'\nimport B from 'b'\n\ntext", 'text', []],
    ['export const a = {\n  b: 1,\n}\n\ntext', 'text', []],
    ['a {/* no */}b', 'a b', []],
    ['a {\'b\'} {"c"} {d.map((e) => ({e}))}', 'a b c ', ['expression']],
    ['<Note title="a > b" x={{ y: ">" }}>\n\n*in*\n\n</Note>', '\n\n*in*\n\n', ['component Note']],
    ['<Tabs.Item /> <div>b</div>', ' <div>b</div>', ['component Tabs.Item']],
    ['`<Note>{x}` \\{y}', '`<Note>{x}` \\{y}', []],
    ['```jsx\nimport a\n<Note>{x}\n```', '```jsx\nimport a\n<Note>{x}\n```', []],
    ['a { b <C', 'a { b <C', []],
  ])('%j becomes %j', (text, markdown, losses) => {
    const lost: string[] = [];
    expect(withoutMdx(text, (what) => lost.push(what))).toBe(markdown);
    expect(lost).toEqual(losses);
  });

  it('takes time in proportion to its length, or stops', { timeout: 60_000 }, () => {
    for (const piece of ['{', '<A ', '<A {', "import a from 'a'\n", '{a}', '<A>'])
      try {
        withoutMdx(piece.repeat(300_000 / piece.length), () => undefined);
      } catch (error) {
        expect(String(error)).toMatch(/too many unclosed/);
      }
  });
});

it('callouts keep their title and their text', () => {
  expect(withCallouts(':::tip[A *t*]\nin\n:::\n:::warning\nb')).toBe(
    '\n<div class="admonition tip">\n\n**A *t***\n\nin\n\n</div>\n\n\n<div class="admonition warning">\n\n**Warning**\n\nb\n\n</div>\n',
  );
  expect(withCallouts('> [!NOTE]\n> in')).toBe('> **Note**\n> \n> in');
  expect(withCallouts('```\n:::tip\n```\n:::\n::::unknown')).toBe('```\n:::tip\n```\n:::\n::::unknown');
});

it('posts in MDX are imported, and losses reported', async () => {
  const { posts, items } = await readFolder(
    folderOf({
      'blog/a.mdx':
        "---\ntitle: A\ndate: 2020-01-01\n---\nimport X from 'x'\n\n:::note\n\nHi\n\n:::\n\n<X>in</X>\n",
    }),
  );
  expect(posts.get('blog/a.mdx')?.body).toBe(
    '<div class="admonition note">\n<p><strong>Note</strong></p>\n<p>Hi</p>\n</div>\n<p>in</p>',
  );
  expect(items.flatMap((item) => (item.kind === 'loss' ? [item.loss.what] : []))).toEqual(['component X']);
});
