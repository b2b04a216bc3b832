import axe from 'axe-core';
import type { Visitor } from './dashboard.ts';

type Look = {
  /** Checks only the color rules for a page that was checked a moment ago in the other color scheme. */
  readonly onlyColours?: boolean;
};

/** The axe rules about contrast and color. */
const rulesOfColours = ['color-contrast', 'link-in-text-block'];

/** The violations that axe rates serious or critical, which make a page unusable for some people. */
export async function axeViolations({ page }: Visitor, { onlyColours = false }: Look = {}): Promise<readonly string[]> {
  // Waits for animations, because a half-faded color has less contrast.
  await page.evaluate('Promise.all(document.getAnimations().map((one) => one.finished.catch(() => {})))');
  // The script is half a megabyte, so it is loaded once per document.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
  const options = { resultTypes: ['violations'], ...(onlyColours && { runOnly: rulesOfColours }) };
  const { violations } = await page.evaluate<Pick<axe.AxeResults, 'violations'>>(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) => ({ violations }))`,
  );
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  return serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
}
