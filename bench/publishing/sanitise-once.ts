/**
 * Sanitises all public bodies of a blog and prints the CPU time in seconds. It includes the garbage collector's
 * threads, which run on other cores.
 */
import { sanitise } from '../../build/html/sanitise.ts';
import { openForReading } from '../../data/database.ts';

const [path = ''] = process.argv.slice(2);
const db = openForReading(path);
const bodies = db.prepare<[], string>("SELECT body FROM posts WHERE status = 'published'").pluck();
let seconds = 0;
// One at a time: those of a million posts do not fit into memory.
for (const body of bodies.iterate()) {
  const before = process.cpuUsage();
  sanitise(body, 'https://bench.example/posts/a');
  const { user, system } = process.cpuUsage(before);
  seconds += (user + system) / 1e6;
}
db.close();
console.log(JSON.stringify({ seconds }));
