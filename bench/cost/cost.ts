/**
 * Prints the tables of docs/operators/cost.md: `npm run bench:cost`.
 *
 *   prices.ts   what Cloudflare charges, and where it says so
 *   usage.ts    what a request and a publish use, as tests count it, and what a month of them comes to
 *   bill.ts     usage and prices make a bill
 *   tables.ts   three months, and what they depend on
 */
import { tables } from './tables.ts';

for (const table of Object.values(tables())) console.log(`${table}\n`);
