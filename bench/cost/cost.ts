/**
 * Prints the tables of docs/operators/cloudflare.md and bench/COST.md: `npm run bench:cost`.
 *
 *   prices.ts   what Cloudflare charges, with sources
 *   usage.ts    usage per request and per publish, as the tests count it, and the usage of a month
 *   bill.ts     usage × prices = a bill
 *   tables.ts   example months, and what their cost depends on
 */
import { tables } from './tables.ts';

for (const table of Object.values(tables())) console.log(`${table}\n`);
