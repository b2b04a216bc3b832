import axe from 'axe-core';
import type { Visitor } from './dashboard.ts';

/** By what axe calls serious or critical: whom it hits cannot use the page. */
export async function seriousFaults({ page }: Visitor): Promise<readonly string[]> {
  // What fades in is judged once it is there: half of a colour has half of the contrast.
  await page.evaluate('Promise.all(document.getAnimations().map((one) => one.finished.catch(() => {})))');
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>("axe.run({ resultTypes: ['violations'] })");
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  return serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
}
