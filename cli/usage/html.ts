/** The usage report as one HTML file: requests by day, endpoint, status and key. No scripts, no requests. */
import { escapeHtml } from '../../common/content/text.ts';
import { readFace, readMark } from '../../build/page/face.ts';
import { dayChart } from './charts.ts';
import { answerKind, ANSWERS, type RequestOutcome, type UsageSummary } from './summary.ts';

/** Longer reports do not list accounts by day: their files would be large. */
const MOST_DAYS = 92;

/** Rows of a ranking that are shown. The rest is collapsed. */
const TOP = 10;

/**
 * Renders the report.
 *
 * @param title such as the blog's name; null: none. Reports are shared, so never a local path
 */
export function usageHtml(summary: UsageSummary, title: string | null): string {
  const { from, to, requests } = summary;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>Usage, ${from} to ${to}</title>
<style>${readFace()}${STYLE}</style>
</head>
<body>
<header><p class="brand">${readMark().replace('<svg', '<svg aria-hidden="true"')}<span dir="auto">${escapeHtml(title ?? 'Offprint')}</span></p></header>
<main>
<h1>Usage</h1>
<p class="soft">Requests from ${from} to ${to} (UTC).</p>
${requests === 0 ? '<p class="none">There were no requests in this period.</p>' : sections(summary).join('\n')}
</main>
<footer><p><b>Answered</b>: successful. <b>Unchanged</b>: 304, the caller’s copy is current. <b>Refused</b>: other 4xx, a wrong
request. <b>Limited</b>: 429. <b>Failed</b>: 5xx. Callers without a key are counted together.</p></footer>
</body>
</html>
`;
}

function sections(summary: UsageSummary): string[] {
  const { days } = summary;
  const countAnswers = (kind: RequestOutcome) => days.reduce((sum, day) => sum + day[kind], 0);
  const byDay = table(
    ['Day', 'Requests', ...ANSWERS.map(capitalised)],
    days.map((day) => [day.day, day.requests, ...ANSWERS.map((kind) => day[kind])]),
  );
  const endpoints = summary.endpoints.map(({ name, requests }) => ({ names: [name], requests }));
  const statuses = summary.statuses.map(({ name, requests }) => ({
    names: [name],
    requests,
    kind: answerKind(Number(name)),
  }));
  const keys = summary.keys.map(({ key, account, requests }) => ({
    names: key === null ? ['Without a key', ''] : [account ?? '', key],
    requests,
  }));
  const byAccount = summary.accounts.map((row) => [
    row.day,
    row.account ?? 'Without a key',
    row.requests,
    ...ANSWERS.map((kind) => row[kind]),
  ]);
  return [
    `<dl class="sums">
<div><dt>Requests</dt><dd>${count(summary.requests)}</dd></div>
${ANSWERS.map((kind) => `<div><dt class="${kind}">${capitalised(kind)}</dt><dd>${count(countAnswers(kind))}</dd></div>`).join('\n')}
</dl>`,
    section(
      'Requests per day',
      `${wide(dayChart(days), 'Chart')}<details><summary>Numbers by day</summary>${byDay}</details>`,
    ),
    `<div class="pair">${section('By endpoint', ranking(['Endpoint'], endpoints))}
${section('By answer', ranking(['Status'], statuses))}</div>`,
    section('By key', ranking(['Account', 'Key'], keys)),
    ...(days.length > MOST_DAYS
      ? []
      : [
          `<section><details><summary><h2>By account and day</h2></summary>${table(
            ['Day', 'Account', 'Requests', ...ANSWERS.map(capitalised)],
            byAccount,
          )}</details></section>`,
        ]),
  ];
}

function section(title: string, content: string): string {
  return `<section><h2>${title}</h2>${content}</section>`;
}

interface Ranked {
  /** One cell each. */
  readonly names: readonly string[];
  readonly requests: number;
  /** Decides the bar's colour. Default: answered. */
  readonly kind?: RequestOutcome;
}

/** A table with a bar in each row, relative to the first row. */
function ranking(head: readonly string[], ranked: readonly Ranked[]): string {
  const most = ranked.at(0)?.requests ?? 1;
  const rows = ranked.map(({ names, requests, kind = 'answered' }) => {
    const part = ((100 * requests) / most).toFixed(1);
    const [first = '', ...others] = names;
    return `<tr class="${kind}" style="--part: ${part}%"><th scope="row"><bdi>${escapeHtml(first)}</bdi></th>${others.map(textCell).join('')}${numberCell(requests)}</tr>`;
  });
  const renderTable = (shown: readonly string[]) =>
    wide(`<table class="ranking">${thead([...head, 'Requests'])}<tbody>${shown.join('\n')}</tbody></table>`);
  const rest = rows.slice(TOP);
  return (
    renderTable(rows.slice(0, TOP)) +
    (rest.length === 0
      ? ''
      : `<details><summary>${count(rest.length)} more</summary>${renderTable(rest)}</details>`)
  );
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) =>
    cells.map((cell) => (typeof cell === 'number' ? `<td>${count(cell)}</td>` : textCell(cell))).join('');
  return wide(
    `<table class="counts">${thead(head)}<tbody>${rows.map((cells) => `<tr>${line(cells)}</tr>`).join('\n')}</tbody></table>`,
  );
}

/** Scrolls from side to side on narrow screens. */
const wide = (content: string, what = 'Table') =>
  `<div class="wide" tabindex="0" role="group" aria-label="${what}">${content}</div>`;
const thead = (head: readonly string[]) =>
  `<thead><tr>${head.map((cell) => `<th scope="col">${cell}</th>`).join('')}</tr></thead>`;
const textCell = (text: string) => `<td><bdi>${escapeHtml(text)}</bdi></td>`;
const numberCell = (value: number) => `<td class="n">${count(value)}</td>`;
const count = (value: number) => value.toLocaleString('en');
const capitalised = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1);

const STYLE = `
:root {
  --answered: var(--good);
  --unchanged: var(--fair);
  --refused: var(--mild);
  --limited: var(--warn);
  --failed: var(--bad);
}
header { padding: var(--space-3) var(--space-5); border-bottom: 1px solid var(--rule); }
header p { margin: 0; overflow-wrap: anywhere; }
main, footer { width: min(100% - 2 * var(--space-4), 64rem); margin: var(--space-7) auto; }
h1 { font-size: var(--text-2xl); }
h2 { margin-bottom: var(--space-4); font-size: var(--text-l); }
.soft { margin: var(--space-2) 0 var(--space-5); color: var(--soft); }
section, .sums > div, .none { padding: var(--space-5); border: 1px solid var(--rule); border-radius: var(--radius); background: var(--raised); }
section { min-width: 0; margin-top: var(--space-4); }
.sums { display: grid; grid-template-columns: repeat(2, 1fr); gap: var(--space-4); margin: 0; }
@media (width >= 40rem) { .sums { grid-template-columns: repeat(3, 1fr); } }
@media (width >= 60rem) { .sums { grid-template-columns: repeat(6, 1fr); } }
.sums > div { padding: var(--space-4); }
.sums dt { color: var(--soft); font-size: var(--text-s); }
.sums dt[class]::before { content: ''; display: inline-block; width: 0.6em; height: 0.6em; margin-inline-end: 0.5em; border-radius: 2px; background: var(--kind); }
.sums dd { margin: 0; font-size: var(--text-xl); font-weight: 700; font-variant-numeric: tabular-nums; line-height: 1.3; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); column-gap: var(--space-4); }
.answered { --kind: var(--answered); }
.unchanged { --kind: var(--unchanged); }
.refused { --kind: var(--refused); }
.limited { --kind: var(--limited); }
.failed { --kind: var(--failed); }
section svg { display: block; width: 100%; min-width: 48rem; height: auto; }
@media screen and (width < 40rem) { section { padding: var(--space-4); } }
details { margin-top: var(--space-3); }
section > details:first-child { margin: 0; }
summary h2 { display: inline; margin: 0 0 0 var(--space-1); color: var(--ink); }
summary { color: var(--soft); font-size: var(--text-s); cursor: pointer; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: var(--text-s); font-variant-numeric: tabular-nums; }
th, td { padding: var(--space-2) var(--space-3); border-bottom: 1px solid var(--rule); font-weight: 400; text-align: start; white-space: nowrap; }
thead th { color: var(--soft); font-size: var(--text-xs); font-weight: 600; }
tr:last-child > * { border-bottom: 0; }
thead tr > * { border-bottom: 1px solid var(--rule) !important; }
.n, thead th:last-child, .counts :is(th, td):nth-last-child(-n + 6) { text-align: end; }
.ranking tbody tr { background: linear-gradient(color-mix(in srgb, var(--kind) 24%, transparent) 0 0) 0 / var(--part) calc(100% - 2px) no-repeat; }
.ranking :is(th, td):first-child { width: 60%; overflow-wrap: anywhere; white-space: normal; }
footer { color: var(--soft); font-size: var(--text-s); }
@media print {
  @page { margin: 14mm; }
  body { background: none; font-size: 10pt; }
  header { padding: 0 0 var(--space-3); }
  main, footer { width: auto; margin: var(--space-4) 0; }
  section, .sums > div { padding: var(--space-3); background: none; break-inside: avoid; }
  section:has(> details:first-child) { display: none; }
  .sums { grid-template-columns: repeat(3, 1fr); gap: var(--space-2); }
  th, td { padding-block: var(--space-1); }
  .pair { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  h2 { break-after: avoid; }
  tr { break-inside: avoid; }
  details { display: none; }
  .wide { overflow: visible; }
  section svg { min-width: 0; }
  * { print-color-adjust: exact; }
}
`;
