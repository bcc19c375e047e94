/** A headless Chromium for a test file, with visitors who share nothing: each has a tab and a storage of its own. */
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { longestMs } from '../waiting/eventually';
import { findChromium } from './chromium';

export interface TestBrowser {
  /** Opens a tab as somebody who has never been there. */
  visit(options?: BrowserContextOptions): Promise<Page>;
  /** Everything that the pages did against their policy, and what their code threw, since it was last asked. */
  takeFaults(): readonly string[];
  close(): Promise<void>;
}

/** Its marks tell these lines from others that a page writes to its console. */
const policyMark = 'against the policy:';
const tellViolations = `
  document.addEventListener('securitypolicyviolation', (event) => {
    console.error('${policyMark} ' + event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sourceFile);
  });`;

const launch = async (): Promise<Browser> => {
  const { executablePath, env } = await findChromium();
  return chromium.launch({ executablePath, env: { ...process.env, ...env }, timeout: longestMs });
};

export const openBrowser = async (): Promise<TestBrowser> => {
  const browser = await launch();
  const faults: string[] = [];
  return {
    async visit(options = {}) {
      const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC', ...options });
      context.setDefaultTimeout(longestMs);
      await context.addInitScript({ content: tellViolations });
      const page = await context.newPage();
      page.on('pageerror', (error) => faults.push(String(error)));
      page.on('console', (message) => {
        if (message.text().startsWith(policyMark)) faults.push(message.text());
      });
      return page;
    },
    takeFaults: () => faults.splice(0),
    close: () => browser.close(),
  };
};
