/**
 * Posts that were deleted or moved at their source, from the import to the answers of the API.
 */
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { parseDirectory } from '../../../contract/directory.ts';
import { objectPath } from '../../../contract/object-name.ts';
import { parsePointer } from '../../../contract/pointer.ts';
import { temporaryFolder } from '../../build/temporary-folder.ts';
import { answerOf, offprintInProcess } from '../../service/in-process.ts';
import { expectFailure } from './place.ts';

const moved = z.strictObject({ from: z.string(), to: z.string(), slug: z.string() });
const found = z.strictObject({ source: z.string(), slug: z.string() });
const report = z.object({
  origins: z.array(z.strictObject({ format: z.string(), name: z.string(), new: z.boolean() })),
  imported: z.object({ posts: z.int() }),
  unchanged: z.int(),
  gone: z.array(found),
  moved: z.array(moved),
  absent: z.array(found),
});

/** A blog in a folder, with its database and output. */
function place() {
  const folder = temporaryFolder();
  const [blog, db, out] = ['blog', 'blog.db', 'out'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(blog);
  const path = (name: string) => join(blog, name);
  return {
    ...{ folder, blog, db, out, path },
    write(name: string, slug: string, day = '2024-01-02', text = `Text of ${slug}.`) {
      mkdirSync(join(path(name), '..'), { recursive: true });
      writeFileSync(path(name), `---\ntitle: About ${slug}\ndate: ${day}\nslug: ${slug}\n---\n${text}\n`);
    },
    run: async (from = blog, ...more: string[]) =>
      report.parse(await answerOf(['import', 'markdown', from, '--db', db, ...more])),
    fails: (from: string, ...more: string[]) =>
      offprintInProcess(['import', 'markdown', from, '--db', db, ...more]),
    /** The slugs that a build publishes. */
    async published() {
      await answerOf(['build', '--db', db, '--out', out, '--force']);
      const { snapshot } = parsePointer(readFileSync(join(out, 'snapshot.json'), 'utf8'));
      const { names } = parseDirectory(readFileSync(join(out, objectPath('directory', snapshot)), 'utf8'));
      return 'inline' in names.post ? names.post.inline.map(([slug]) => slug).sort() : [];
    },
    rows<T>(sql: string): T[] {
      const open = new Database(db, { readonly: true });
      try {
        return open.prepare<[], T>(sql).all();
      } finally {
        open.close();
      }
    },
  };
}

// Each test runs up to twelve commands.
describe('import markdown, again', () => {
  test('a deleted post is no longer published, and a renamed one is published once', async () => {
    const { blog, path, write, run, published, rows } = place();
    write('hello.md', 'hello');
    write('oops.md', 'oops', '2024-01-03');
    await run();
    expect(await published()).toEqual(['hello', 'oops']);
    const [before] = rows<{ id: number }>("SELECT id FROM posts WHERE slug = 'hello'");

    rmSync(path('oops.md'));
    renameSync(path('hello.md'), path('greetings.md'));
    const { gone, moved: moves, origins } = await run();
    expect(origins).toEqual([{ format: 'markdown', name: 'blog', new: false }]);
    expect(gone).toEqual([{ source: 'markdown:oops.md', slug: 'oops' }]);
    expect(moves).toEqual([{ from: 'markdown:hello.md', to: 'markdown:greetings.md', slug: 'hello' }]);
    expect(await published()).toEqual(['hello']);
    expect(rows("SELECT id FROM posts WHERE slug = 'hello'")).toEqual([before]);
    expect((await run(blog)).gone).toEqual([]);
  });

  test('stops with a reason and writes nothing if more than half of the posts, or all, are gone', async () => {
    const { blog, path, write, run, fails, published, folder } = place();
    for (const slug of ['a', 'b', 'c']) write(`${slug}.md`, slug);
    await run();
    rmSync(path('a.md'));
    rmSync(path('b.md'));
    write('d.md', 'd', '2025-01-01');
    expectFailure(await fails(blog), /2 of 3 published posts .*"blog".*--force/);
    expect(await published()).toEqual(['a', 'b', 'c']);
    expect(await run(blog, '--keep')).toMatchObject({ gone: [], absent: [{ slug: 'a' }, { slug: 'b' }] });
    expect((await run(blog, '--force')).gone.map(({ slug }) => slug)).toEqual(['a', 'b']);
    expect(await published()).toEqual(['c', 'd']);

    const empty = join(folder, 'empty');
    mkdirSync(empty);
    writeFileSync(join(empty, 'notes.txt'), 'x');
    const nothing = await fails(empty);
    expect(nothing).toMatchObject({ code: 1, stdout: '' });
    expect(nothing.stderr).toMatch(/no post/);
  });

  test('the same blog at another path is recognised; a part of it is refused', async () => {
    const { folder, write, run, fails, blog } = place();
    for (const name of ['posts/a', 'posts/b', 'notes/c']) write(`${name}.md`, name.slice(-1));
    await run();
    const checkout = join(folder, 'ci', 'checkout-17');
    cpSync(blog, checkout, { recursive: true });
    expect(await run(checkout)).toMatchObject({ origins: [{ name: 'blog', new: false }], unchanged: 3 });
    for (const part of [join(blog, 'posts'), join(checkout, 'posts')]) {
      expectFailure(await fails(part), /is only the folder .* of the blog "blog"/);
    }
    // In reverse order: the first import was a part of the blog.
    const reverse = place();
    for (const name of ['posts/a', 'posts/b']) reverse.write(`${name}.md`, name.slice(-1));
    await reverse.run(reverse.path('posts'));
    expect((await reverse.run()).moved.map(({ slug }) => slug)).toEqual(['a', 'b']);
  });

  test('two blogs in one database do not affect each other, even with equal paths', async () => {
    const { folder, blog, write, run, published } = place();
    write('hello.md', 'hello');
    write('a.md', 'a');
    const other = join(folder, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'hello.md'), '---\ntitle: Other\ndate: 2020-05-05\nslug: other\n---\nOther.\n');
    await run();
    expect(await run(other)).toMatchObject({ gone: [], origins: [{ name: 'other', new: true }] });
    expect(await published()).toEqual(['a', 'hello', 'other']);
    expect(await run(blog)).toMatchObject({ gone: [], unchanged: 2 });
    expect(await run(other)).toMatchObject({ gone: [], unchanged: 1 });
  });
});
