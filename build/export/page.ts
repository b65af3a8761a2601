import { API_VERSION } from '../../contract/api.ts';
import type { Asset } from '../page/assets.ts';
import { answerBlock, answerCode, codeBlock, languages, renderFrame } from '../page/frame.ts';
import { LISTED_FILES } from './description.ts';
import { PATHS } from './paths.ts';
import { ALL_POSTS, FIND_POSTS, FIRST_CALLS, IF_CHANGED } from './snippets.ts';

/** What the page may load: static hosts rarely let an owner set headers, so the page says it itself. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Where the files are, as HTML; page.js fills in where the page was opened. */
const ORIGIN = `<span data-origin="${API_VERSION}">https://this-site/${API_VERSION}</span>`;

/** The same for the folder of the search script. */
const SEARCH_ORIGIN = '<span data-origin="search">https://this-site/search</span>';

/**
 * The page `index.html` of a tree, as HTML. All its addresses are relative.
 *
 * @param answer the newest articles, as their file has them
 */
export function renderTreePage(
  site: string,
  perPage: number,
  assets: readonly Asset[],
  answer: unknown,
): string {
  return renderFrame({
    site,
    addresses: new Map(assets.map(({ name, path }) => [name, path.slice(1)])),
    operations: LISTED_FILES,
    home: './',
    description: 'openapi.json',
    about:
      'Every file, from the <a href="openapi.json">OpenAPI description</a>. Examples are real, with long texts and lists cut short.',
    head: `<meta http-equiv="Content-Security-Policy" content="${POLICY}">\n`,
    lede: `Published articles with their full text, categories, tags and authors: as plain JSON files, for your own sites and
programs. There are no keys and no limits.`,
    address: ORIGIN,
    sections: [
      {
        id: 'first-call',
        link: 'First call',
        title: 'Your first call',
        text: FIRST_CALL + languages('first', FIRST_CALLS, ORIGIN),
        aside: answerBlock(answer, 'Answer'),
      },
      {
        id: 'files',
        link: 'Files',
        title: 'Find a file',
        text: FILES,
        aside: codeBlock({ language: 'Text', caption: 'Files', code: Object.values(PATHS).join('\n') }),
      },
      {
        id: 'paging',
        link: 'Paging',
        title: 'Read page by page',
        text: paging(perPage),
        aside: codeBlock(ALL_POSTS, ORIGIN),
      },
      {
        id: 'search',
        link: 'Search',
        title: 'Search the articles',
        text: SEARCH,
        aside: codeBlock(FIND_POSTS, SEARCH_ORIGIN),
      },
      {
        id: 'changes',
        link: 'Changes',
        title: 'Detect changes',
        text: CHANGES,
        aside: codeBlock(IF_CHANGED, ORIGIN),
      },
    ],
  });
}

const FIRST_CALL = `<p>The newest articles. Each file is <code>{"success": true, "data": …}</code>. All fields are always present; a field without a
value is <code>null</code>.</p>`;

const FILES = `<p>Follow <code>links</code>, which is next to <code>data</code> in each list: addresses relative to the file, where
<code>links.items</code> has the file of each item. Or build the address yourself.</p>
<p>In a slug or username each character but <code>a</code> to <code>z</code>, <code>0</code> to <code>9</code>, <code>-</code>, <code>_</code> and
<code>.</code> is encoded as its UTF-8 bytes, each as <code>~</code> and two hexadecimal digits: <code>C++</code> is
<code>~43~2b~2b</code>.</p>`;

function paging(perPage: number): string {
  const total = 4 * perPage + 9;
  return `<p>A list begins with its newest articles, ${perPage} to ${2 * perPage - 1} of them, and <code>meta</code> says how many it has. Follow
<code>links.next</code> to older ones: files of ${perPage} each, which do not change when an article is added. They are numbered from the
oldest, so <code>links.prev</code> from the last one reads the list backwards. Of ${total} articles, for example, <code>newest.json</code> has:</p>
${answerCode(`"meta": {
  "page": 1, "per_page": ${perPage}, "last_page": 4, "total": ${total}
},
"links": {
  "first": "newest.json", "prev": null,
  "next": "archive/3.json", "last": "archive/1.json",
  "items": […]
}`)}
<p>The code reads all articles.</p>`;
}

const SEARCH = `<p>A script searches the files in the browser: titles, descriptions and tags, even inside words. It returns articles as
in lists, newest first, and reads one small file per word.</p>`;

const CHANGES = `<p>The files change when the blog is exported again. To save traffic, send a file’s <code>ETag</code> or
<code>Last-Modified</code> back, as browsers do automatically. A file that does not exist gives 404, with a body that depends on the host.</p>`;
