/** The layout of a documentation page: a sidebar, a guide in sections, and the list of endpoints. */
import { API_NAME } from '../../contract/api.ts';
import { cutTexts } from '../description/examples.ts';
import type { AssetName } from './assets.ts';
import { escapeHtml } from '../../common/content/text.ts';
import { highlight } from './highlight.ts';

/** The content of a documentation page. All texts are HTML, except the site's name. */
interface Frame {
  readonly site: string;
  /** Addresses of the page's assets. */
  readonly addresses: ReadonlyMap<AssetName, string>;
  /** Addresses of the page itself and of the OpenAPI description. */
  readonly home: string;
  readonly description: string;
  /** Extra elements for the head. */
  readonly head?: string;
  readonly lede: string;
  /** The API's address. */
  readonly address: string;
  readonly sections: readonly Section[];
  /** Introduction of the reference. */
  readonly about: string;
  /** All endpoints, in the order of the reference. */
  readonly operations: readonly ListedOperation[];
}

export interface Section {
  readonly id: string;
  /** Its name in the sidebar. */
  readonly link: string;
  readonly title: string;
  readonly text: string;
  /** Code or a table. On a wide screen this is the second column. */
  readonly aside: string;
}

/** One endpoint. */
interface ListedOperation {
  readonly tag: string;
  readonly summary: string;
  readonly path: string;
}

/** Code in one language. ORIGIN is a placeholder for the service's address. */
export interface Snippet {
  readonly language: string;
  readonly code: string;
  /** Shown instead of the language. */
  readonly caption?: string;
}

/** Renders a documentation page as HTML. */
export function renderFrame({ site, addresses, sections, operations, ...frame }: Frame): string {
  const name = escapeHtml(site);
  const asset = (name: AssetName) => addresses.get(name) ?? '';
  const tags = [...Map.groupBy(operations, ({ tag }) => tag)];
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
<script src="${asset('page.js')}" defer blocking="render"></script>
</head>
<body>
<a class="skip" href="#first-call">Skip to the guide</a>
<header class="bar">
<button class="icon" id="open-menu" type="button" popovertarget="menu" aria-label="Contents">${MENU_ICON}</button>
<a class="brand" href="${frame.home}"><img src="${asset('icon.svg')}" alt="" width="28" height="28"><span>${name}</span></a>
</header>
<nav id="menu" popover aria-label="Contents">
<h2>Guide</h2>
<ul>
${sections.map(({ id, link }) => `<li><a href="#${id}">${link}</a></li>`).join('\n')}
</ul>
<h2><a href="#reference">Reference</a></h2>
${tags.map(renderContents).join('\n')}
</nav>
<main>
<section class="lead" aria-labelledby="title">
<p class="kicker">${API_NAME}</p>
<h1 id="title">${name}, as data</h1>
<p class="lede">${frame.lede}</p>
<figure class="address"><figcaption>Address</figcaption><pre tabindex="0"><code>${frame.address}</code></pre></figure>
</section>
${sections.map(renderSection).join('\n')}
<div id="reference" tabindex="-1" data-script="${asset('scalar.js')}" data-about="${escapeHtml(frame.about)}">
<section class="listed" id="${INTRODUCTION}" aria-labelledby="reference-title">
<h2 id="reference-title">Reference</h2>
<p>${frame.about}</p>
<p class="start"><a class="button" href="#${INTRODUCTION}">Open the reference</a></p>
<noscript><style>.start { display: none }</style><p>The reference needs JavaScript. It shows <a href="${frame.description}">this description</a>, which other tools read too.</p></noscript>
<div class="groups">
${tags.map(renderEndpoints).join('\n')}
</div>
</section>
</div>
</main>
<p id="loading" role="status"></p>
<footer><p>${name} is served by Offprint.</p></footer>
</body>
</html>
`;
}

/** The reference's own id for its first section. */
const INTRODUCTION = 'description/introduction';

const MENU_ICON =
  '<svg viewBox="0 0 20 20" aria-hidden="true"><path d="M3 5.5h14M3 10h14M3 14.5h14" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round"/></svg>';

type TagGroup = readonly [tag: string, operations: readonly ListedOperation[]];

function renderContents([tag, operations]: TagGroup): string {
  const links = operations.map(
    (operation) => `<li><a href="#${referenceId(operation)}">${operation.summary}</a></li>`,
  );
  return `<h3>${tag}</h3>\n<ul>\n${links.join('\n')}\n</ul>`;
}

function renderEndpoints([tag, operations]: TagGroup): string {
  const rows = operations.map((operation) => {
    const { summary, path } = operation;
    const id = referenceId(operation);
    return `<li id="${id}"><a href="#${id}"><b>GET</b> <code>${path}</code> <span>${summary}</span></a></li>`;
  });
  return `<section id="tag/${tagSlug(tag)}"><h3>${tag}</h3>\n<ul>\n${rows.join('\n')}\n</ul></section>`;
}

/** The reference's own id for an endpoint, so that links work in the list and in the reference. */
const referenceId = ({ tag, path }: ListedOperation) => `tag/${tagSlug(tag)}/GET${path}`;

const tagSlug = (tag: string) => tag.toLowerCase().replaceAll(' ', '-');

function renderSection({ id, title, text, aside }: Section): string {
  return `<section id="${id}" aria-labelledby="${id}-title">
<div class="text"><h2 id="${id}-title">${title}</h2>
${text}</div>
<div class="aside">${aside}</div>
</section>`;
}

/** Code in several languages, of which one is open at a time. */
export function languages(group: string, snippets: readonly Snippet[], origin: string): string {
  const panels = snippets.map(({ language, code }, i) => {
    const open = i === 0 ? ' open' : '';
    const content = `<summary>${language}</summary>${renderCode(code, origin)}`;
    return `<details name="${group}" data-title="${language}"${open}>${content}</details>`;
  });
  return `<div class="languages">${panels.join('\n')}</div>`;
}

/** @param origin the service's address, as HTML */
export function codeBlock({ language, code, caption = language }: Snippet, origin = ''): string {
  return `<figure><figcaption>${caption}</figcaption>${renderCode(code, origin)}</figure>`;
}

function renderCode(code: string, origin: string): string {
  const filled = highlight(code).replaceAll('ORIGIN', () => origin);
  return `<pre tabindex="0"><code>${filled}</code></pre>`;
}

/** An example response. Long texts are cut so that most lines fit. */
export function answerBlock(body: unknown, caption: string): string {
  return answerCode(JSON.stringify(cutTexts(body, LONGEST_TEXT), null, 2), caption);
}

/** JSON that the service sends. Its colours differ from code that calls the service. */
export function answerCode(code: string, caption = 'JSON'): string {
  return `<div class="answer">${codeBlock({ language: 'JSON', code, caption })}</div>`;
}

/** Maximum length of a text in an example response, in characters. */
const LONGEST_TEXT = 44;
