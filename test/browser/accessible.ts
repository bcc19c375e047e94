/** Judges a page by the rules of axe-core, as those meet it who do not see it, see little, or use no mouse. */
import { source } from 'axe-core';
import type { Page } from 'playwright-core';

interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[];
}

const grave = new Set(['serious', 'critical']);

/** The grave findings of the rules that are asked, each as a line. */
const findingsOf = async (page: Page, rules?: readonly string[]): Promise<readonly string[]> => {
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

/** The grave findings in light colours, and those of the contrast in dark ones. */
export const graveFindings = async (page: Page): Promise<readonly string[]> => {
  const light = await findingsOf(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await findingsOf(page, ['color-contrast']);
  await page.emulateMedia({ colorScheme: 'light' });
  return [...light, ...dark.map((line) => `dark: ${line}`)];
};
