/** Usage as one HTML file: charts and the numbers behind them. It runs nothing and loads nothing. */
import { type ChartWidth, dayChart, shareChart } from './charts.ts';
import { answerKind, ANSWERS, type Share, type UsageSummary } from './summary.ts';

/** So many keys have a bar; the table has them all. */
const TOP_KEYS = 10;

/**
 * The whole report.
 *
 * @param title what it is about, such as the blog's name; it may be sent to others, so no path of this machine.
 *   Null: not said
 */
export function usageHtml(summary: UsageSummary, title: string | null): string {
  const { from, to, requests, endpoints, statuses, keys } = summary;
  const days = busyDays(summary.days);
  const [first, last] = [days.at(0)?.day ?? from, days.at(-1)?.day ?? to];
  const isWhole = requests === 0 || days.length === summary.days.length;
  const leftOut = isWhole ? '' : `<p>There were no other requests from ${from} to ${to}.</p>`;
  const named = keys.map(({ key, account, requests: count }) => ({
    name: key === null ? 'without a key' : `${account ?? ''} ${key}`,
    requests: count,
  }));
  const sections =
    requests === 0
      ? ['<p>There were no requests in this period.</p>']
      : [
          section(
            'Requests a day',
            (width) => dayChart(days, width),
            table(
              ['day', 'requests', ...ANSWERS],
              days.map((day) => [day.day, day.requests, ...ANSWERS.map((kind) => day[kind])]),
            ),
          ),
          shareSection('By endpoint', 'endpoint', endpoints, () => 'var(--answered)'),
          shareSection('By answer', 'status', statuses, (status) => `var(--${answerKind(Number(status))})`),
          shareSection('Top keys', 'account and key', named, () => 'var(--answered)', TOP_KEYS),
          `<section><h2>Accounts by day</h2>${table(
            ['day', 'account', 'requests', ...ANSWERS],
            summary.accounts.map((row) => [
              ...[row.day, row.account ?? 'without a key', row.requests],
              ...ANSWERS.map((kind) => row[kind]),
            ]),
          )}</section>`,
        ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>Usage, ${first} to ${last}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<header><h1>Usage</h1>${title === null ? '' : `<p dir="auto">${escape(title)}</p>`}
<p class="sum"><strong>${count(requests)}</strong> ${requests === 1 ? 'request' : 'requests'} from ${first} to ${last} (UTC)</p>${leftOut}</header>
${sections.join('\n')}
<footer><p><b>answered</b>: with what was asked for. <b>unchanged</b>: 304, the caller had it. <b>refused</b>: 4xx,
the request was wrong. <b>limited</b>: 429. <b>failed</b>: 5xx. Callers without a key are one sum.</p></footer>
</main>
</body>
</html>
`;
}

/** The days from the first with a request to the last; those between that had none are kept. */
function busyDays(days: UsageSummary['days']): UsageSummary['days'] {
  const isBusy = ({ requests }: { readonly requests: number }) => requests > 0;
  return days.slice(Math.max(0, days.findIndex(isBusy)), days.findLastIndex(isBusy) + 1);
}

function shareSection(
  title: string,
  head: string,
  shares: readonly Share[],
  colourOf: (name: string) => string,
  top = shares.length,
): string {
  const rows = shares.map(({ name, requests }) => [name, requests]);
  const chart = (width: ChartWidth) => shareChart(shares.slice(0, top), colourOf, width);
  return section(title, chart, table([head, 'requests'], rows));
}

/** The chart is there twice, for screens and for phones; the style sheet shows one. */
function section(title: string, chart: (width: ChartWidth) => string, numbers: string): string {
  return `<section><h2>${title}</h2><div class="on-screen">${chart('screen')}</div><div class="on-phone">${chart('phone')}</div><details><summary>In numbers</summary>${numbers}</details></section>`;
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) =>
    cells
      .map((cell) =>
        typeof cell === 'number'
          ? `<td class="n">${count(cell)}</td>`
          : `<td dir="auto">${escape(cell)}</td>`,
      )
      .join('');
  return (
    `<div class="wide" tabindex="0" role="group" aria-label="Table"><table><thead><tr>` +
    `${head.map((cell) => `<th scope="col">${cell}</th>`).join('')}</tr></thead>` +
    `<tbody>${rows.map((cells) => `<tr>${line(cells)}</tr>`).join('\n')}</tbody></table></div>`
  );
}

const count = (value: number) => value.toLocaleString('en');

function escape(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

const STYLE = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#fbfaf7, #16161a);
  --ink: light-dark(#1c1b19, #ecebe6);
  --soft: light-dark(#5f5b54, #a9a69e);
  --rule: light-dark(#e2ded5, #34343c);
  --answered: light-dark(#2f6f9f, #6fb0dd);
  --unchanged: light-dark(#a9c5d8, #3d5f78);
  --refused: light-dark(#c99a2e, #d9b25a);
  --limited: light-dark(#c8641e, #e58a4a);
  --failed: light-dark(#a3200d, #f0705a);
}
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, 'Segoe UI', Roboto, sans-serif; }
main { width: min(100% - 2rem, 56rem); margin: 2.5rem auto; }
h1 { margin: 0; font-size: 2rem; }
header p { margin: 0.2rem 0; color: var(--soft); overflow-wrap: anywhere; }
.sum strong { color: var(--ink); font-size: 1.4rem; }
section { margin-block: 2.5rem; }
h2 { margin: 0 0 0.75rem; padding-bottom: 0.4rem; border-bottom: 1px solid var(--rule); font-size: 1.2rem; }
svg { display: block; width: 100%; height: auto; }
.on-phone { display: none; }
@media (max-width: 40rem) { .on-screen { display: none; } .on-phone { display: block; } }
summary { color: var(--soft); cursor: pointer; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; min-width: 100%; font-size: 0.9rem; font-variant-numeric: tabular-nums; }
th, td { padding: 0.35rem 0.75rem; border-bottom: 1px solid var(--rule); text-align: start; white-space: nowrap; }
th { color: var(--soft); font-weight: 600; }
.n { text-align: end; }
footer { color: var(--soft); font-size: 0.875rem; }
`;
