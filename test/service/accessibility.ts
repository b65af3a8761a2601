import axe from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * Findings of axe-core in a page, of any severity, as `rule: element: its HTML`.
 *
 * @param within a selector of the part to check
 */
export async function accessibilityFindings(page: Page, within = 'html'): Promise<string[]> {
  if (await page.evaluate('window.axe === undefined')) await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>(
    `axe.run(${JSON.stringify(within)}, { resultTypes: ['violations'] })`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, html }) => `${id}: ${target.join(' ')}: ${html.slice(0, 200)}`),
  );
}
