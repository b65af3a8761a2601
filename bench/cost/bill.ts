import { type Charged, type Price, PRICES, SUBSCRIPTION } from './prices.ts';
import type { Usage } from './usage.ts';

interface Bill {
  /** US dollars for each item, rounded to the cent. */
  readonly items: Readonly<Record<Charged, number>>;
  /** Including the subscription. */
  readonly total: number;
}

/** What a month of usage costs on the Workers Paid plan, if nothing else uses the included amounts. */
export function billFor(usage: Usage): Bill {
  const items: Record<Charged, number> = { ...usage };
  for (const charged of Object.keys(PRICES) as Charged[]) {
    const { dollars, included, per, roundedUp }: Price = PRICES[charged];
    const above = Math.max(0, usage[charged] - included) / per;
    items[charged] = Math.round((roundedUp ? Math.ceil(above) : above) * dollars * 100) / 100;
  }
  return { items, total: Object.values(items).reduce((sum, dollars) => sum + dollars, SUBSCRIPTION) };
}
