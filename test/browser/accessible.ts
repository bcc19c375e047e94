/** Judges a page by the rules of axe-core and by its width, as those meet it who see little, or have a phone. */
import { source } from 'axe-core';
import type { Page } from 'playwright-core';

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[];
}

/** The findings of all rules, each as a line. */
const findingsOf = async (page: Page): Promise<readonly string[]> => {
  await page.evaluate(source);
  const found = await page.evaluate(`axe.run(document, { resultTypes: ['violations'] })`);
  const { violations } = found as { readonly violations: readonly Finding[] };
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  );
};

/** Elements that reach beyond the window, but for what lies in a part that scrolls by itself. */
const beyondTheWindow = `
  [...document.querySelectorAll('body *')]
    .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
    .filter((element) => {
      for (let part = element.parentElement; part !== null && part !== document.body; part = part.parentElement) {
        const { overflowX } = getComputedStyle(part);
        if ((overflowX === 'auto' || overflowX === 'scroll') && part.getBoundingClientRect().right <= innerWidth + 1)
          return part.tagName === 'DIALOG';
      }
      return true;
    })
    .map((element) => element.tagName.toLowerCase() + '.' + element.getAttribute('class') + ': ' +
      element.textContent.slice(0, 60))`;

const phone = { width: 390, height: 844 };

const overflowsOf = async (page: Page): Promise<readonly string[]> => {
  const found = await page.evaluate(beyondTheWindow);
  const hasSideways = await page.evaluate(
    `[document.documentElement, ...document.querySelectorAll('dialog')].some((one) => one.scrollWidth > one.clientWidth)`,
  );
  return [...(found as readonly string[]), ...(hasSideways === true ? ['it scrolls sideways'] : [])];
};

/** All that is wrong with a page or the dialog on it: in light and dark colours, and in a window as wide as a phone. */
export const faultsToSee = async (page: Page): Promise<readonly string[]> => {
  const before = page.viewportSize();
  const light = await findingsOf(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await findingsOf(page);
  await page.setViewportSize(phone);
  await page.waitForTimeout(1_200); // the axis follows the width of the window each second
  const darkPhone = await findingsOf(page);
  await page.emulateMedia({ colorScheme: 'light' });
  const narrow = await overflowsOf(page);
  const lightPhone = await findingsOf(page);
  if (before !== null) await page.setViewportSize(before);
  return [
    ...light,
    ...dark.map((line) => `dark: ${line}`),
    ...lightPhone.map((line) => `at 390 px: ${line}`),
    ...darkPhone.map((line) => `dark, at 390 px: ${line}`),
    ...narrow.map((line) => `overflows at 390 px: ${line}`),
  ];
};
