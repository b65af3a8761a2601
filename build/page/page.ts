import { PER_PAGE_DEFAULT, PER_PAGE_MAX, PREFIX } from '../../contract/api.ts';
import { dayLimit, type Limits, minuteLimit, NO_LIMIT } from '../../contract/policy.ts';
import { LISTED_OPERATIONS } from '../description/operations.ts';
import type { AssetName } from './assets.ts';
import { answerBlock, codeBlock, languages, renderFrame } from './frame.ts';
import { escapeHtml } from '../../common/content/text.ts';
import { COPIES, FIRST_CALLS, KEY_HEADERS, KEYS_CREATE, NEXT_PAGES, SYNC_FOLDER } from './snippets.ts';

/** The service that the page documents. */
interface PageContent {
  readonly site: string;
  /** The public address of the service. If it is undefined, page.js fills in the page's own origin. */
  readonly apiUrl: string | undefined;
  readonly limits: Limits;
  /** Addresses of the page's assets. */
  readonly addresses: ReadonlyMap<AssetName, string>;
  /** The example response to the first call. */
  readonly answer: unknown;
}

/** Renders the page at `/` as HTML. */
export function renderPage({ site, apiUrl, limits, addresses, answer }: PageContent): string {
  const origin =
    apiUrl === undefined ? '<span data-origin="/">https://this-service</span>' : escapeHtml(apiUrl);
  return renderFrame({
    site,
    addresses,
    operations: LISTED_OPERATIONS,
    home: '/',
    description: '/openapi.json',
    about: `Every endpoint, parameter, header and error, from the <a href="/openapi.json">OpenAPI description</a>. Examples are
answers as if this blog had at most three articles, with long texts cut short. “Test Request” calls the service, with a key or
without; such calls count like all others.`,
    lede: `Published articles with their full text, categories, tags and authors: read-only, as JSON, for your own
sites and programs. You can try every endpoint without a key.`,
    address: origin + PREFIX,
    sections: [
      {
        id: 'first-call',
        link: 'First call',
        title: 'Your first call',
        text: FIRST_CALL + languages('first', FIRST_CALLS, origin),
        aside: answerBlock(answer, 'Example, with at most three articles'),
      },
      {
        id: 'key',
        link: 'Key',
        title: 'Get a key',
        text: KEY,
        aside: codeBlock(KEY_HEADERS),
      },
      {
        id: 'whole-blog',
        link: 'Whole blog',
        title: 'Copy the whole blog',
        text: WHOLE_BLOG + codeBlock(SYNC_FOLDER, origin),
        aside: languages('copy', COPIES, origin),
      },
      {
        id: 'paging',
        link: 'Paging',
        title: 'Read page by page',
        text: PAGING,
        aside: codeBlock(NEXT_PAGES, origin),
      },
      {
        id: 'limits',
        link: 'Limits',
        title: 'Know the limits',
        text: LIMITS,
        aside: limitsTable(limits),
      },
    ],
  });
}

const FIRST_CALL = `<p>The newest articles, two per page. Each answer is <code>{"success": true, "data": …}</code>. All fields are always present; a
field without a value is <code>null</code>.</p>`;

const KEY = `<p>Requests with a key count against its account, from any IP address, with separate <a href="#limits">limits</a>.
Ask the operator of this service for a key. It begins with <code>opk_</code> and is shown only once. Send it in one of two headers.</p>
<p>Never put a key in a URL, where histories and logs keep it; such requests are refused. <code>/me</code> shows your key’s
permissions and what is left of today’s quota.</p>
<details><summary>Do you run this service?</summary>
<p>Create a key on the machine where Offprint is installed:</p>
${codeBlock(KEYS_CREATE)}</details>`;

const WHOLE_BLOG = `<p><code>/changes</code> gives all articles with their full text, up to ${PER_PAGE_MAX} per request, and later only what
changed. Follow <code>cursor</code> to the last page, and keep its <code>token</code> for <code>since</code>. Store the
<code>items</code>, and delete the <code>removed</code>. If <code>whole</code> is true, these pages replace your copy.</p>
<p>The programs keep a copy in <code>blog.json</code>. Run them again to update it. At the daily limit they stop with the API’s
message, and the next run continues. If the API refuses the cursor, delete the file.</p>
<p>For JavaScript, <code>offprint-client</code> does all this, and reads the lists too. It is not on npm yet: ask the operator of this service for the package file.</p>`;

const PAGING = `<p><code>per_page</code> takes 1 to ${PER_PAGE_MAX} (default ${PER_PAGE_DEFAULT}), and <code>page</code> counts from 1.
<code>meta</code> repeats both, and adds the numbers of pages (<code>last_page</code>) and of matching articles (<code>total</code>).</p>
<p>The header <code>Link</code> has the addresses of the first, previous, next and last page. The code reads all pages.
If a limit is reached, it waits up to a minute; at the daily limit, it stops.</p>`;

const LIMITS = `<p>Two limits apply at the same time. A day begins at midnight UTC; a minute is any 60 seconds.</p>
<p>The headers <code>X-Quota-Limit</code>, <code>X-Quota-Used</code>, <code>X-Quota-Remaining</code> and
<code>X-Quota-Reset</code> of every answer show the daily quota. Above a limit the answer is 429, and
<code>Retry-After</code> gives the seconds to wait; such a request is not counted.</p>
<p>To save traffic, send an answer’s <code>ETag</code> back as <code>If-None-Match</code>. While nothing has changed, the answer is
304 without a body. It counts as a request.</p>`;

function limitsTable(limits: Limits): string {
  const cell = (limit: number) =>
    `<td>${limit === NO_LIMIT ? 'no limit' : limit.toLocaleString('en-GB')}</td>`;
  const row = (who: string, plan: string) =>
    `<tr><th scope="row">${who}</th>${cell(dayLimit(limits, plan))}${cell(minuteLimit(limits, plan))}</tr>`;
  return `<div class="wide" tabindex="0" role="region" aria-label="Limits"><table>
<thead><tr><th scope="col">Who</th><th scope="col">Requests per day</th><th scope="col">In any minute</th></tr></thead>
<tbody>
${row('Without a key, for one address', 'address')}
${row('With a key, for its account', 'user')}
${row('An administrator’s account', 'admin')}
</tbody></table></div>`;
}
