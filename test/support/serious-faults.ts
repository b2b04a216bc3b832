import axe from 'axe-core';
import type { Visitor } from './dashboard.ts';

type Look = {
  /** Of a page that was looked at a moment ago in its other colours: only what colours can change is looked at again. */
  readonly onlyColours?: boolean;
};

/** The rules of axe that ask how a colour stands out from another. */
const rulesOfColours = ['color-contrast', 'link-in-text-block'];

/** By what axe calls serious or critical: whom it hits cannot use the page. */
export async function seriousFaults({ page }: Visitor, { onlyColours = false }: Look = {}): Promise<readonly string[]> {
  // What fades in is judged once it is there: half of a colour has half of the contrast.
  await page.evaluate('Promise.all(document.getAnimations().map((one) => one.finished.catch(() => {})))');
  // Half a megabyte, read once for each document.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
  const options = { resultTypes: ['violations'], ...(onlyColours && { runOnly: rulesOfColours }) };
  const { violations } = await page.evaluate<Pick<axe.AxeResults, 'violations'>>(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) => ({ violations }))`,
  );
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  return serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
}
