/**
 * Posts that were deleted or moved at their source, from the import to what is published; test/import/departures.test.ts has the cases.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { parseDirectory } from '../../../contract/directory.ts';
import { objectPath } from '../../../contract/object-name.ts';
import { parsePointer } from '../../../contract/pointer.ts';
import { temporaryFolder } from '../../build/temporary-folder.ts';
import { answerOf, offprintInProcess } from '../../service/in-process.ts';

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
});
