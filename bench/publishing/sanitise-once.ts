/** What sanitize-html alone takes for all public bodies of a blog, on one core: prints seconds. */
import { sanitise } from '../../build/sanitise.ts';
import { openForReading } from '../../data/database.ts';

const [path = ''] = process.argv.slice(2);
const db = openForReading(path);
const bodies = db.prepare<[], string>("SELECT body FROM posts WHERE status = 'published'").pluck();
let seconds = 0;
for (const body of bodies.iterate()) {
  const started = performance.now();
  sanitise(body, 'https://bench.example/posts/a');
  seconds += (performance.now() - started) / 1000;
}
db.close();
console.log(JSON.stringify({ seconds }));
