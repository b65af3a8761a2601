/** Code samples for the page. ORIGIN is a placeholder for the service's scheme and host. */
import { PREFIX } from '../../contract/api.ts';
import type { Snippet } from './frame.ts';

const URL = `ORIGIN${PREFIX}/posts?per_page=2`;

/** The first call, in each language. A test runs them. */
export const FIRST_CALLS: readonly Snippet[] = [
  {
    language: 'curl',
    code: `curl "${URL}"

# with a key
curl -H "Authorization: Bearer YOUR_KEY" \\
  "${URL}"`,
  },
  {
    language: 'JavaScript',
    code: `const response = await fetch('${URL}', {
  // without a key, leave this line out
  headers: { Authorization: 'Bearer YOUR_KEY' },
});
const { data } = await response.json();
for (const post of data.items) console.log(post.title, post.url);
const left = response.headers.get('X-Quota-Remaining');
console.log(left, 'requests left today');`,
  },
  {
    language: 'PHP',
    code: `<?php
$context = stream_context_create(['http' => [
    // without a key, leave this line out
    'header' => 'Authorization: Bearer YOUR_KEY',
]]);
$url = '${URL}';
$answer = file_get_contents($url, false, $context);
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
    # without a key, leave this line out
    headers={'Authorization': 'Bearer YOUR_KEY'},
)
with urlopen(request) as response:
    for post in json.load(response)['data']['items']:
        print(post['title'], post['url'])`,
  },
];

/** The two headers that take a key. */
export const KEY_HEADERS: Snippet = {
  language: 'HTTP',
  caption: 'Either header',
  code: `Authorization: Bearer opk_…
X-Api-Key: opk_…`,
};

export const KEYS_CREATE: Snippet = {
  language: 'Shell',
  code: 'offprint keys create --account ada --name "my site"',
};

/** Reads all pages, and waits when a limit is reached. */
export const NEXT_PAGES: Snippet = {
  language: 'JavaScript',
  code: `const API = 'ORIGIN${PREFIX}';

async function* allPosts() {
  for (let page = 1, last = 1; page <= last; page++) {
    const query = \`per_page=50&page=\${page}\`;
    const response = await fetch(\`\${API}/posts?\${query}\`);
    if (response.status === 429) {
      const wait = response.headers.get('Retry-After');
      await new Promise((go) => setTimeout(go, wait * 1e3));
      page--;
      continue;
    }
    const answer = await response.json();
    if (!answer.success) throw new Error(answer.message);
    yield* answer.data.items;
    last = answer.data.meta.last_page;
  }
}`,
};
