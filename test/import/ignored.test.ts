import { describe, expect, it } from 'vitest';
import { matchesGlob } from '../../import/markdown/glob.ts';
import { readMarkdownBlog } from '../../import/markdown/read.ts';
import { folderOf, readFolder } from './folder.ts';

const PAGE = '---\ntitle: A\ndate: 2024-01-02\n---\nText\n';

describe('a pattern of names', () => {
  it.each<[path: string, pattern: string, crosses: boolean, same: boolean]>([
    ['a/b.md', '*.md', true, true],
    ['a/b.md', '*.md', false, false],
    ['a/b.md', '**/*.md', false, true],
    ['b.md', '**/*.md', false, true],
    ['a/c/b.md', 'a/**', false, true],
    ['a/b.md', 'a/?.md', false, true],
    ['a/bb.md', 'a/?.md', false, false],
    ['a.b', 'a.{b,c}', false, true],
    ['a.d', 'a.{b,c}', false, false],
    ['a1', 'a[0-9]', false, true],
    ['ax', 'a[!0-9]', false, true],
    ['a*', 'a\\*', false, true],
    ['ab', 'a\\*', false, false],
    ['a[', 'a[', false, true],
  ])('%s and %s (a star crosses folders: %s): %s', (path, pattern, crossesFolders, same) => {
    expect(matchesGlob(path, pattern, { crossesFolders })).toBe(same);
  });

  it('takes time in proportion to the lengths', () => {
    const path = 'a'.repeat(3000);
    expect(matchesGlob(path, `${'*a'.repeat(300)}b`, { crossesFolders: true })).toBe(false);
    expect(matchesGlob(path, `${'{a,b}'.repeat(300)}c`, { crossesFolders: true })).toBe(false);
  });
});

describe('files that a site leaves out', () => {
  it('are reported if they cannot be determined', async () => {
    const folder = folderOf({ 'hugo.toml': 'ignoreFiles = ["(a+)+$", "b"]' });
    const notes: string[] = [];
    for await (const item of readMarkdownBlog(folder, { now: new Date() }))
      if (item.kind === 'note') notes.push(item.text);
    expect(notes).toEqual([expect.stringMatching(/^Hugo's ignoreFiles has "\(a\+\)\+\$"/)]);
  });

  it.each<[config: Record<string, string>, path: string, isLeftOut: boolean]>([
    [{ '_config.yml': 'exclude: [_posts/old]' }, '_posts/old/2024-01-02-a.md', true],
    [{ '_config.yml': 'exclude: ["*-a.md"]' }, '_posts/2024-01-02-a.md', true],
    [{ '_config.yml': 'exclude: [old]\ninclude: [old]' }, 'old/_posts/2024-01-02-a.md', false],
    [{ 'hugo.toml': 'ignoreFiles = ["\\\\.tmp\\\\.md$"]' }, 'content/posts/a.tmp.md', true],
    [{ 'hugo.toml': 'ignoreFiles = ["["]' }, 'content/posts/a.md', false],
    [{ 'hugo.toml': 'ignoreFiles = ["(a+)+$"]' }, 'content/posts/a.md', false],
    [{ 'config.toml': 'base_url = "x"\nignored_content = ["*.tmp.md"]' }, 'content/a.tmp.md', true],
    [{ '.eleventyignore': '# old\n/old/\n!old/a.md\n' }, 'old/b.md', true],
    [{ '.eleventyignore': '/old/\n' }, 'new/old/b.md', false],
    [{ '.eleventyignore': '*.tmp.md\n!a.tmp.md\n' }, 'posts/a.tmp.md', false],
    [{ 'eleventy.config.js': '', '.gitignore': 'posts/a.md\n' }, 'posts/a.md', true],
    [{ '.gitignore': 'posts/a.md\n' }, 'posts/a.md', false],
  ])('%j, %s: %s', async (config, path, isLeftOut) => {
    const { posts, skipped } = await readFolder(folderOf({ ...config, [path]: PAGE }));
    expect(posts.has(path)).toBe(!isLeftOut);
    if (isLeftOut) expect(skipped.get(path)).toBe('is left out by the configuration of its site');
  });
});
