// Writes items from an export with its own fields: node items.mjs export.json > posts.ndjson
import { readFileSync } from 'node:fs';

const say = (item) => console.log(JSON.stringify(item));
const rows = JSON.parse(readFileSync(process.argv[2], 'utf8'));

say({ kind: 'blog', name: 'My blog', url: 'https://blog.example' });
for (const row of rows) {
  say({
    kind: 'post',
    id: row.post_id,
    slug: row.path,
    title: row.headline,
    content: row.html,
    published_at: new Date(row.created * 1000).toISOString(),
    status: row.state === 'live' ? 'published' : 'draft',
    tags: row.labels,
  });
}
say({ kind: 'end', posts: rows.length });
