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

const CHANGES = `ORIGIN${PREFIX}/changes?per_page=50`;

/** The whole blog, in each language. They wait at the minute's limit, and stop at the day's. A test runs them. */
export const WHOLE_BLOG: readonly Snippet[] = [
  {
    language: 'curl',
    code: `cursor=
until [ "$cursor" = null ]; do
  page=$(curl -sS --fail-with-body --retry 3 --retry-max-time 90 \\
    -H "Authorization: Bearer YOUR_KEY" \\
    "${CHANGES}&cursor=$cursor") || {
    # such as the day's limit
    printf '%s' "$page" | jq -r .message
    echo "Continue with cursor=$cursor"
    exit 1
  }
  printf '%s' "$page" | jq -r '.data.items[].url'
  cursor=$(printf '%s' "$page" | jq -r .data.cursor)
done`,
  },
  {
    language: 'JavaScript',
    code: `const API = '${CHANGES}';
const headers = { Authorization: 'Bearer YOUR_KEY' };

let cursor = '';
while (cursor !== null) {
  const url = \`\${API}&cursor=\${cursor}\`;
  const response = await fetch(url, { headers });
  const wait = response.headers.get('Retry-After');
  if (response.status === 429 && wait <= 60) {
    await new Promise((go) => setTimeout(go, wait * 1e3));
    continue;
  }
  const { data, message } = await response.json();
  if (!data) {
    // such as the day's limit
    console.log(message, 'Continue with cursor=' + cursor);
    process.exit(1);
  }
  for (const post of data.items) console.log(post.url);
  cursor = data.cursor;
}`,
  },
  {
    language: 'PHP',
    code: `<?php
$context = stream_context_create(['http' => [
    'header' => 'Authorization: Bearer YOUR_KEY',
    'ignore_errors' => true,
]]);
$cursor = '';
do {
    $url = '${CHANGES}&cursor=' . $cursor;
    $stream = fopen($url, 'r', false, $context);
    $headers = stream_get_meta_data($stream)['wrapper_data'];
    $answer = json_decode(stream_get_contents($stream), true);
    $wait = preg_grep('/^Retry-After:/i', $headers);
    $seconds = (int) substr(implode($wait), 12);
    if ($seconds > 0 && $seconds <= 60) {
        sleep($seconds);
        continue;
    }
    if (!$answer['success']) {
        // such as the day's limit
        echo $answer['message'], " Continue with cursor=$cursor", PHP_EOL;
        exit(1);
    }
    foreach ($answer['data']['items'] as $post) {
        echo $post['url'], PHP_EOL;
    }
    $cursor = $answer['data']['cursor'];
} while ($cursor !== null);`,
  },
  {
    language: 'Python',
    code: `import json
import time
from urllib.error import HTTPError
from urllib.request import Request, urlopen

api = '${CHANGES}'
headers = {'Authorization': 'Bearer YOUR_KEY'}
cursor = ''
while cursor is not None:
    request = Request(f'{api}&cursor={cursor}', headers=headers)
    try:
        with urlopen(request) as response:
            data = json.load(response)['data']
    except HTTPError as error:
        wait = int(error.headers.get('Retry-After', 0))
        if error.code == 429 and wait <= 60:
            time.sleep(wait)
            continue
        # such as the day's limit
        print(json.load(error)['message'])
        raise SystemExit(f'Continue with cursor={cursor}')
    for post in data['items']:
        print(post['url'])
    cursor = data['cursor']`,
  },
];

/** The same with the client, which keeps the copy up to date. */
export const SYNC: Snippet = {
  language: 'JavaScript',
  caption: 'With offprint-client, in Node',
  code: `import { createClient } from 'offprint-client';
import { syncFolder } from 'offprint-client/files';

const url = 'ORIGIN';
const blog = createClient({ url, key: 'YOUR_KEY' });
// At the day's limit it throws and says so.
// The next call continues.
const copy = await syncFolder(blog, '.cache/blog');
for (const post of copy.articles.values()) {
  console.log(post.title, post.url);
}
console.log(copy.changed, copy.removed);`,
};

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

/** Reads all pages. Waits at the minute's limit, and stops at the day's. */
export const NEXT_PAGES: Snippet = {
  language: 'JavaScript',
  code: `const API = 'ORIGIN${PREFIX}';

async function* allPosts() {
  for (let page = 1, last = 1; page <= last; page++) {
    const query = \`per_page=50&page=\${page}\`;
    const response = await fetch(\`\${API}/posts?\${query}\`);
    const wait = response.headers.get('Retry-After');
    if (response.status === 429 && wait <= 60) {
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
