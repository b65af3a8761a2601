import { type Charged, type Price, PRICES, SUBSCRIPTION } from './prices.ts';
import type { Usage } from './usage.ts';

/** One line of a bill. */
export interface Line {
  readonly charged: Charged;
  readonly used: number;
  /** Units above the included amount. */
  readonly billed: number;
  /** US dollars, rounded to the cent. */
  readonly dollars: number;
}

export interface Bill {
  readonly lines: readonly Line[];
  /** Including the subscription. */
  readonly total: number;
}

/** What a month of usage costs on the Workers Paid plan, if nothing else uses the included amounts. */
export function billFor(usage: Usage): Bill {
  const lines = (Object.keys(PRICES) as Charged[]).map((charged): Line => {
    const used = usage[charged];
    const { dollars, ...price }: Price = PRICES[charged];
    const above = Math.max(0, used - price.included) / price.per;
    const billed = price.roundedUp ? Math.ceil(above) : above;
    return { charged, used, billed, dollars: Math.round(billed * dollars * 100) / 100 };
  });
  return { lines, total: lines.reduce((sum, { dollars }) => sum + dollars, SUBSCRIPTION) };
}
