/** Code samples for the page. ORIGIN is a placeholder for the service's scheme and host. */
import { PER_PAGE_MAX, PREFIX } from '../../contract/api.ts';
import type { Snippet } from './frame.ts';

const URL = `ORIGIN${PREFIX}/posts?per_page=2`;

/** The first call, in each language. They end with the API's message if it refuses them. A test runs them. */
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
const { data, message } = await response.json();
if (!data) throw new Error(message);
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
    'ignore_errors' => true,
]]);
$url = '${URL}';
$answer = json_decode(file_get_contents($url, false, $context), true);
$data = $answer['data'] ?? throw new Exception($answer['message']);
foreach ($data['items'] as $post) {
    echo $post['title'], ' ', $post['url'], PHP_EOL;
}`,
  },
  {
    language: 'Python',
    code: `import json
from urllib.error import HTTPError
from urllib.request import Request, urlopen

request = Request(
    '${URL}',
    # without a key, leave this line out
    headers={'Authorization': 'Bearer YOUR_KEY'},
)
try:
    with urlopen(request) as response:
        data = json.load(response)['data']
except HTTPError as error:
    raise SystemExit(json.load(error)['message'])
for post in data['items']:
    print(post['title'], post['url'])`,
  },
];

const CHANGES = `ORIGIN${PREFIX}/changes?per_page=${PER_PAGE_MAX}`;

/** Keep a copy of the blog in blog.json. They wait up to a minute for a limit, else they end with its message. */
export const COPIES: readonly Snippet[] = [
  {
    language: 'curl',
    code: `# all articles: the first page
curl "${CHANGES}"

# the next page, until "cursor" is null
curl "${CHANGES}&cursor=CURSOR"

# later: what changed since the last page's "token"
curl "${CHANGES}&since=TOKEN"`,
  },
  {
    language: 'JavaScript',
    code: `import { readFile, writeFile } from 'node:fs/promises';

const url = '${CHANGES}';
// without a key: {}
const headers = { Authorization: 'Bearer YOUR_KEY' };
const file = await readFile('blog.json').catch(() => '{}');
let { articles, cursor = '', token = '' } = JSON.parse(file);
articles = new Map(articles);
while (true) {
  const place = \`&cursor=\${cursor}&since=\${token}\`;
  const response = await fetch(url + place, { headers });
  const wait = response.headers.get('Retry-After');
  if (wait && wait <= 60) {
    await new Promise((go) => setTimeout(go, wait * 1e3));
    continue;
  }
  const { data, message } = await response.json();
  if (!data) throw new Error(message);
  if (data.whole && !cursor) articles.clear();
  for (const one of data.items) articles.set(one.slug, one);
  for (const slug of data.removed) articles.delete(slug);
  token = data.token ?? token;
  cursor = data.cursor ?? '';
  const copy = { articles: [...articles], cursor, token };
  await writeFile('blog.json', JSON.stringify(copy));
  if (!cursor) break;
}
console.log(articles.size, 'articles');`,
  },
  {
    language: 'PHP',
    code: `<?php
$url = '${CHANGES}';
$context = stream_context_create(['http' => [
    // without a key, leave this line out
    'header' => 'Authorization: Bearer YOUR_KEY',
    'ignore_errors' => true,
]]);
$file = is_file('blog.json') ? file_get_contents('blog.json') : '[[], "", ""]';
[$articles, $cursor, $token] = json_decode($file, true);
while (true) {
    $place = "&cursor=$cursor&since=$token";
    $reply = fopen($url . $place, 'r', false, $context);
    $headers = stream_get_meta_data($reply)['wrapper_data'];
    $limit = implode("\\n", preg_grep('/^Retry-After:/i', $headers));
    $wait = (int) substr($limit, 12);
    if ($wait > 0 && $wait <= 60) {
        sleep($wait);
        continue;
    }
    $answer = json_decode(stream_get_contents($reply), true);
    $data = $answer['data'] ?? throw new Exception($answer['message']);
    if ($data['whole'] && !$cursor) $articles = [];
    foreach ($data['items'] as $post) $articles[$post['slug']] = $post;
    foreach ($data['removed'] as $slug) unset($articles[$slug]);
    $token = $data['token'] ?? $token;
    $cursor = $data['cursor'] ?? '';
    $copy = json_encode([$articles, $cursor, $token]);
    file_put_contents('blog.json', $copy);
    if (!$cursor) break;
}
echo count($articles), ' articles';`,
  },
  {
    language: 'Python',
    code: `import json, os, time
from urllib.error import HTTPError
from urllib.request import Request, urlopen

url = '${CHANGES}'
# without a key: {}
headers = {'Authorization': 'Bearer YOUR_KEY'}
articles, cursor, token = {}, '', ''
if os.path.exists('blog.json'):
    with open('blog.json') as file:
        articles, cursor, token = json.load(file)
while True:
    place = f'&cursor={cursor}&since={token}'
    try:
        with urlopen(Request(url + place, headers=headers)) as reply:
            data = json.load(reply)['data']
    except HTTPError as error:
        wait = int(error.headers['Retry-After'] or 99)
        if wait > 60:
            raise SystemExit(json.load(error)['message'])
        time.sleep(wait)
        continue
    if data['whole'] and not cursor:
        articles = {}
    for post in data['items']:
        articles[post['slug']] = post
    for slug in data['removed']:
        articles.pop(slug, None)
    token = data['token'] or token
    cursor = data['cursor'] or ''
    with open('blog.json', 'w') as file:
        json.dump([articles, cursor, token], file)
    if not cursor:
        break
print(len(articles), 'articles')`,
  },
];

/** The same with the client, and the lists. */
export const SYNC_FOLDER: Snippet = {
  language: 'JavaScript',
  caption: 'JavaScript, with offprint-client',
  code: `import { createClient } from 'offprint-client';
import { syncFolder } from 'offprint-client/files';

const blog = createClient({
  url: 'ORIGIN',
  // without a key, leave this line out
  key: 'YOUR_KEY',
});
const { articles } = await syncFolder(blog, 'blog');
console.log(articles.size, 'articles');`,
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

/** Reads all pages. Waits up to a minute for a limit, else throws its message. */
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
}

for await (const post of allPosts()) console.log(post.title, post.url);`,
};
