/** Usage as one HTML file: charts and the numbers behind them. It runs nothing and loads nothing. */
import { dayChart, shareChart } from './charts.ts';
import { answerKind, ANSWERS, type Share, type UsageSummary } from './summary.ts';

/** So many keys have a bar; the table has them all. */
const TOP_KEYS = 10;

/**
 * The whole report.
 *
 * @param title what it is about, such as the output's path
 */
export function usageHtml(summary: UsageSummary, title: string): string {
  const { from, to, requests, days, endpoints, statuses, keys } = summary;
  const named = keys.map(({ key, account, requests: count }) => ({
    name: key === null ? 'without a key' : `${account ?? ''} ${key}`,
    requests: count,
  }));
  const sections =
    requests === 0
      ? ['<p>Nobody asked for anything in this time.</p>']
      : [
          section(
            'Requests a day',
            dayChart(summary),
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
<title>Usage, ${from} to ${to}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<header><h1>Usage</h1><p>${escape(title)}</p>
<p class="sum"><strong>${count(requests)}</strong> ${requests === 1 ? 'request' : 'requests'} from ${from} to ${to} (UTC)</p></header>
${sections.join('\n')}
<footer><p><b>answered</b>: with what was asked for. <b>unchanged</b>: 304, the caller had it. <b>refused</b>: 4xx,
the request was wrong. <b>limited</b>: 429. <b>failed</b>: 5xx. Callers without a key are one sum.</p></footer>
</main>
</body>
</html>
`;
}

function shareSection(
  title: string,
  head: string,
  shares: readonly Share[],
  colourOf: (name: string) => string,
  top = shares.length,
): string {
  const rows = shares.map(({ name, requests }) => [name, requests]);
  return section(title, shareChart(shares.slice(0, top), colourOf), table([head, 'requests'], rows));
}

function section(title: string, chart: string, numbers: string): string {
  return `<section><h2>${title}</h2><div class="wide" tabindex="0" role="group" aria-label="Chart">${chart}</div><details><summary>In numbers</summary>${numbers}</details></section>`;
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
svg { display: block; width: 100%; min-width: 38rem; height: auto; }
summary { color: var(--soft); cursor: pointer; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; min-width: 100%; font-size: 0.9rem; font-variant-numeric: tabular-nums; }
th, td { padding: 0.35rem 0.75rem; border-bottom: 1px solid var(--rule); text-align: start; white-space: nowrap; }
th { color: var(--soft); font-weight: 600; }
.n { text-align: end; }
footer { color: var(--soft); font-size: 0.875rem; }
`;
