/**
 * Writes one generation after another into the blog named by the first argument, each everywhere and in one
 * transaction: `node generation-writer.ts blog.db`. Prints each generation.
 */
import { touchEveryPost } from '../../bench/generate/changes.ts';
import { openForWriting } from '../../data/database.ts';

const db = openForWriting(process.argv[2] ?? '');
const write = db.transaction((generation: number) => {
  touchEveryPost(db, generation);
  db.prepare('UPDATE posts SET views = ?').run(generation);
  for (const table of ['categories', 'tags', 'authors']) {
    db.prepare(`UPDATE ${table} SET name = 'Of ' || id || ' [generation ' || ? || ']'`).run(generation);
  }
});

let generation = 1;
function next(): void {
  write(generation);
  process.stdout.write(`${generation}\n`);
  generation += 1;
  setTimeout(next, 5);
}
next();
