/** Judges a page by the rules of axe-core, as those meet it who do not see it, see little, or use no mouse. */
import { source } from 'axe-core';
import type { Page } from 'playwright-core';

interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[];
}

const grave = new Set(['serious', 'critical']);

/** The grave findings, each as a line. @param rules to ask; left out: all */
export const graveFindings = async (page: Page, rules?: readonly string[]): Promise<readonly string[]> => {
  const options = rules === undefined ? {} : { runOnly: rules };
  await page.evaluate(source);
  const found = await page.evaluate(
    `axe.run(document, ${JSON.stringify({ ...options, resultTypes: ['violations'] })})`,
  );
  const { violations } = found as { readonly violations: readonly Finding[] };
  return violations
    .filter(({ impact }) => grave.has(impact))
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
    );
};
