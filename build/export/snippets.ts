/** Code samples for the page of a tree. ORIGIN is a placeholder for the address of its folder `v1`. */
import type { Snippet } from '../page/frame.ts';

const URL = 'ORIGIN/posts/newest.json';

/** The first call, in each language. A test runs them. */
export const FIRST_CALLS: readonly Snippet[] = [
  { language: 'curl', code: `curl "${URL}"` },
  {
    language: 'JavaScript',
    code: `const response = await fetch('${URL}');
const { data } = await response.json();
for (const post of data.items) console.log(post.title, post.url);`,
  },
  {
    language: 'PHP',
    code: `<?php
$answer = file_get_contents('${URL}');
foreach (json_decode($answer, true)['data']['items'] as $post) {
    echo $post['title'], ' ', $post['url'], PHP_EOL;
}`,
  },
  {
    language: 'Python',
    code: `import json
from urllib.request import urlopen

with urlopen('${URL}') as response:
    for post in json.load(response)['data']['items']:
        print(post['title'], post['url'])`,
  },
];

/** Reads all files of the list, and each article in full. */
export const ALL_POSTS: Snippet = {
  language: 'JavaScript',
  code: `async function* allPosts() {
  let page = '${URL}';
  while (true) {
    const { links } = await (await fetch(page)).json();
    for (const item of links.items) {
      const article = await fetch(new URL(item, page));
      yield (await article.json()).data;
    }
    if (links.next === null) return;
    page = new URL(links.next, page);
  }
}

for await (const post of allPosts()) console.log(post.title);`,
};

/** Finds articles. ORIGIN is the address of the folder `search`. */
export const FIND_POSTS: Snippet = {
  language: 'JavaScript',
  code: `const { Search } = await import('ORIGIN/search.js');
const search = await Search.open();
const { total, items } = await search.query('harbour');
for (const post of items) console.log(post.title, post.url);`,
};

/** Downloads a file again only if it has changed. */
export const IF_CHANGED: Snippet = {
  language: 'curl',
  code: `curl --etag-save posts.etag --etag-compare posts.etag \\
  --output posts.json \\
  "${URL}"`,
};
