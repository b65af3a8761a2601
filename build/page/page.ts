import { API_NAME, PER_PAGE_DEFAULT, PER_PAGE_MAX, PREFIX } from '../../contract/api.ts';
import { type CallerKind, type Limits, minuteLimit, NO_LIMIT } from '../../contract/policy.ts';
import type { AssetName } from './assets.ts';
import { FIRST_CALLS, NEXT_PAGES } from './snippets.ts';

/** What the page speaks of: one service. */
export interface PageContent {
  readonly site: string;
  /** The public address of the service, where it is known; else page.js says where the page was opened. */
  readonly apiUrl: string | undefined;
  readonly limits: Limits;
  /** Where the page finds its assets. */
  readonly addresses: ReadonlyMap<AssetName, string>;
}

/** The page at `/`, as HTML. */
export function renderPage({ site, apiUrl, limits, addresses }: PageContent): string {
  const origin =
    apiUrl === undefined ? '<span data-origin="/">https://this-service</span>' : escapeHtml(apiUrl);
  return renderFrame({
    ...{ site, addresses, home: '/', description: '/openapi.json' },
    about:
      'Every endpoint, parameter, header and error, from the [OpenAPI description](/openapi.json). ' +
      'Examples are answers of this service for three of its articles, long texts cut short. ' +
      '“Test Request” calls it, with a key or without; such calls count like all others.',
    lede: `Published articles with their full text, categories, tags and authors: read-only, as JSON, for your own
sites and programs. You can try every endpoint without a key.`,
    address: origin + PREFIX,
    sections: [
      {
        id: 'first-call',
        link: 'First call',
        title: 'Your first call',
        content: FIRST_CALL + tabs('first', FIRST_CALLS, origin),
      },
      { id: 'key', link: 'Key', title: 'Get a key', content: keyText(limits) },
      {
        id: 'paging',
        link: 'Paging',
        title: 'Read page by page',
        content: PAGING + codeBlock('JavaScript', NEXT_PAGES, origin),
      },
      { id: 'limits', link: 'Limits', title: 'Know the limits', content: limitsText(limits) },
    ],
  });
}

/** What a documentation page consists of: texts in HTML, but for the site's name. */
export interface Frame {
  readonly site: string;
  /** Where the page finds its assets. */
  readonly addresses: ReadonlyMap<AssetName, string>;
  /** Addresses of the page itself and of the description in OpenAPI. */
  readonly home: string;
  readonly description: string;
  /** The reference's introduction, in Markdown. */
  readonly about: string;
  /** More elements of the head. */
  readonly head?: string;
  readonly lede: string;
  /** Where the API is. */
  readonly address: string;
  readonly sections: readonly Section[];
}

interface Section {
  readonly id: string;
  /** Its name in the bar at the top. */
  readonly link: string;
  readonly title: string;
  readonly content: string;
}

/** A documentation page, as HTML: an introduction in sections, and the reference. */
export function renderFrame({ site, addresses, sections, ...frame }: Frame): string {
  const name = escapeHtml(site);
  const asset = (name: AssetName) => addresses.get(name) ?? '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${frame.head ?? ''}<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="How to read ${name} from your own site or program: articles, categories, tags and authors, as JSON.">
<title>${name}: ${API_NAME}</title>
<link rel="icon" href="${asset('icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${asset('page.css')}">
<link rel="service-desc" href="${frame.description}" type="application/json">
<script src="${asset('page.js')}" defer></script>
<script src="${asset('scalar.js')}" defer></script>
</head>
<body>
<a class="skip" href="#reference">Skip to the reference</a>
<header class="bar">
<a class="brand" href="${frame.home}"><img src="${asset('icon.svg')}" alt="" width="26" height="26"><span>${name}</span></a>
<nav aria-label="On this page">
${sections.map(({ id, link }) => `<a href="#${id}">${link}</a>`).join('\n')}
<a href="#reference">Reference</a>
</nav>
<p class="quota" id="quota" role="status"></p>
<button class="theme" id="theme" type="button" hidden></button>
</header>
<section class="introduction" aria-label="Getting started">
<div class="lead">
<p class="kicker">${API_NAME}</p>
<h1>${name}, as data</h1>
<p class="lede">${frame.lede}</p>
<p class="address"><span class="label">Address</span> <code>${frame.address}</code></p>
</div>
${sections.map(renderSection).join('\n')}
</section>
<div id="reference" tabindex="-1" data-about="${escapeHtml(frame.about)}"><p class="loading">The reference is loading. It needs JavaScript; the description that it
shows is at <a href="${frame.description}">${frame.description}</a>.</p></div>
<footer><p>${name} is served by Offprint.</p></footer>
</body>
</html>
`;
}

const FIRST_CALL = `<p>The three newest articles. Each answer is <code>{"success": true, "data": …}</code>. Fields are always there; one
without a value is <code>null</code>.</p>`;

function keyText({ day }: Limits): string {
  return `<p>${keyUse(day)} Ask the operator of this service for one. It begins with <code>opk_</code> and is shown only once.
Send it in one of two headers:</p>
<pre tabindex="0"><code>Authorization: Bearer opk_…
X-Api-Key: opk_…</code></pre>
<p>Never put a key into a URL, where histories and logs keep it; such a request is refused. <code>/me</code> shows your key’s
permissions and what is left of today’s quota.</p>
<details><summary>Do you run this service?</summary>
<p>Create a key on the machine where Offprint is installed:</p>
<pre tabindex="0"><code>offprint keys create --account ada --name "my site"</code></pre></details>`;
}

/** What a key changes, by the limits in force: it need not raise anything. */
function keyUse({ address, user }: Limits['day']): string {
  if (user === NO_LIMIT && address !== NO_LIMIT)
    return `With a key there is no daily limit. Without one it is ${number(address)} requests.`;
  if (user === NO_LIMIT) return 'There is no daily limit, with a key or without.';
  if (user > address)
    return `A key raises your daily limit from ${number(address)} requests to ${number(user)}.`;
  return `Requests with a key count against its account, whatever address they come from: ${number(user)} a day.
An address without a key has ${user === address ? 'as many' : limitText(address)}.`;
}

const PAGING = `<p><code>per_page</code> takes 1 to ${PER_PAGE_MAX} (default ${PER_PAGE_DEFAULT}), and <code>page</code> counts from 1.
<code>meta</code> describes the page:</p>
<pre tabindex="0"><code>{ "page": 2, "per_page": 15, "last_page": 3, "total": 39 }</code></pre>
<p>The header <code>Link</code> names the first, previous, next and last page. This code reads all of them, and
waits when a limit is reached:</p>`;

function limitText(limit: number): string {
  return limit === NO_LIMIT ? 'no limit' : number(limit);
}

function limitsText(limits: Limits): string {
  const row = (who: string, kind: CallerKind) =>
    `<tr><th scope="row">${who}</th><td>${limitText(limits.day[kind])}</td><td>${limitText(minuteLimit(limits, kind))}</td></tr>`;
  return `<p>Two limits apply at the same time. A day begins at midnight UTC; a minute is any 60 seconds.</p>
<div class="wide" tabindex="0" role="region" aria-label="Limits"><table>
<thead><tr><th scope="col">Who</th><th scope="col">Requests a day</th><th scope="col">In any minute</th></tr></thead>
<tbody>
${row('Without a key, for one address', 'address')}
${row('With a key, for its account', 'user')}
${row('An administrator’s account', 'admin')}
</tbody></table></div>
<p>The headers <code>X-Quota-Limit</code>, <code>X-Quota-Used</code>, <code>X-Quota-Remaining</code> and
<code>X-Quota-Reset</code> of every answer show the daily quota. Above a limit the answer is 429, and
<code>Retry-After</code> gives the seconds to wait; such a request is not counted.</p>
<p>To save traffic, send an answer’s <code>ETag</code> back as <code>If-None-Match</code>. While nothing has changed, the answer is
304 without a body. It counts as a request.</p>`;
}

function renderSection({ id, title, content }: Section): string {
  return `<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>
${content}</section>`;
}

/** Panels one below the other; page.js makes tabs of them. */
export function tabs(group: string, snippets: readonly Snippet[], origin: string): string {
  const panels = snippets.map(({ language, code }, i) => {
    const id = `${group}-${i}`;
    return `<div class="panel" id="${id}" data-title="${language}">${codeBlock(language, code, origin)}</div>`;
  });
  return `<div class="tabs" data-tabs="First call">${panels.join('\n')}</div>`;
}

/** Code in one language, with ORIGIN where the service's address belongs. */
export interface Snippet {
  readonly language: string;
  readonly code: string;
}

/** @param origin the service's address, as HTML */
export function codeBlock(language: string, code: string, origin: string): string {
  const filled = escapeHtml(code).replaceAll('ORIGIN', () => origin);
  return `<figure><figcaption>${language}</figcaption><pre tabindex="0"><code>${filled}</code></pre></figure>`;
}

function number(value: number): string {
  return value.toLocaleString('en-GB');
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
