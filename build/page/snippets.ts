/** The code that the page shows. ORIGIN stands for the service's scheme and host. */
import { PREFIX } from '../../contract/api.ts';

const URL = `ORIGIN${PREFIX}/posts?per_page=3`;

/** The first call, in each language; a test runs them. */
export const FIRST_CALLS = [
  {
    language: 'curl',
    code: `curl "${URL}"

# with a key
curl -H "Authorization: Bearer YOUR_KEY" "${URL}"`,
  },
  {
    language: 'JavaScript',
    code: `const response = await fetch('${URL}', {
  headers: { Authorization: 'Bearer YOUR_KEY' }, // without a key, leave this line out
});
const { data } = await response.json();
for (const post of data.items) console.log(post.title, post.url);
console.log(response.headers.get('X-Quota-Remaining'), 'requests left today');`,
  },
  {
    language: 'PHP',
    code: `<?php
$context = stream_context_create(['http' => [
    'header' => 'Authorization: Bearer YOUR_KEY', // without a key, leave this line out
]]);
$answer = file_get_contents('${URL}', false, $context);
foreach (json_decode($answer, true)['data']['items'] as $post) {
    echo $post['title'], ' ', $post['url'], PHP_EOL;
}`,
  },
  {
    language: 'Python',
    code: `import json
from urllib.request import Request, urlopen

request = Request(
    '${URL}',
    headers={'Authorization': 'Bearer YOUR_KEY'},  # without a key, leave this line out
)
with urlopen(request) as response:
    for post in json.load(response)['data']['items']:
        print(post['title'], post['url'])`,
  },
] as const;

/** Reading all pages, politely. */
export const NEXT_PAGES = `const API = 'ORIGIN${PREFIX}';

async function* allPosts() {
  for (let page = 1, last = 1; page <= last; page++) {
    const response = await fetch(\`\${API}/posts?per_page=50&page=\${page}\`);
    if (response.status === 429) {
      const wait = response.headers.get('Retry-After');
      await new Promise((go) => setTimeout(go, wait * 1000));
      page--;
      continue;
    }
    const { success, data, message } = await response.json();
    if (!success) throw new Error(message);
    yield* data.items;
    last = data.meta.last_page;
  }
}`;
