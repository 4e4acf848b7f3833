import axe, { type AxeResults } from "axe-core";
import type { Page } from "playwright-core";

/** Returns the violations that axe reports, of WCAG and of best practices. The page's policy would block axe itself. */
export async function findViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations }: AxeResults = await page.evaluate(
    "axe.run(document, { resultTypes: ['violations'] })",
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 3).map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}
