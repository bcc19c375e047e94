/**
 * Takes the pictures of the page that stand in the README and in docs/page.md, from a session under way on the whole
 * service: `npm run pictures`. Nothing in them is drawn: each is what somebody sees who looks at that moment.
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { packageRoot } from '../../cli/package-root';
import { stopSignal } from '../../cli/stop-signal';
import { runTool } from '../../config/run-program';
import { settingsTable } from '../../config/settings-table';
import { openBrowser, type TestBrowser } from '../../test/browser/open-browser';
import { startManager } from '../bench/manager';
import { type MeasuredStack, withStack } from '../bench/measured-stack';
import { until } from '../bench/session';
import { hostsOfPictures, pictureFleet } from './picture-fleet';

const { values: options } = parseArgs({
  options: { folder: { type: 'string', default: path.join(packageRoot, 'docs/pictures') } },
});

const size = { width: 1440, height: 900 };
/** The axis follows the width of the window each second. */
const settledMs = 1_500;
const minutesAtMost = 15;
/** Simulated seconds in a real one: the session is then over in some minutes. */
const speed = '12';

const sessionBody = (hosts: readonly string[]): object => {
  const inMinutes = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString();
  return {
    hosts,
    state: 'MAINTENANCE',
    maintenance_at: new Date().toISOString(),
    workflow: 'vnf',
    name: 'kernel of racks 1 and 2',
    metadata: {},
    actions: [{ plugin: 'dummy', type: 'host' }],
    max_parallel_hosts: 4,
    deadline: inMinutes(14),
  };
};

const create = async ({ api }: MeasuredStack, hosts: readonly string[]): Promise<string> => {
  const response = await fetch(`${api}/v1/maintenance`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'parley-reason': 'CHG-4711' },
    body: JSON.stringify(sessionBody(hosts)),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`the session was not created: ${response.status} ${text}`);
  return (JSON.parse(text) as { session_id: string }).session_id;
};

/** A picture, and what is done on the page before it is taken. */
interface Picture {
  readonly name: string;
  readonly hash: string;
  readonly scheme?: 'dark';
  readonly width?: number;
  readonly prepare?: (page: Page) => Promise<unknown>;
}

const tab = (name: string) => (page: Page) => page.getByRole('tab', { name }).click();

/** The plan comes after the hosts. */
const untilPlanned = (page: Page): Promise<void> =>
  page.locator('.expected-draining').nth(2).waitFor({ state: 'attached' });

const picturesOf = (sessionId: string, projectId: string): readonly Picture[] => {
  const session = `#/sessions/${sessionId}`;
  return [
    { name: 'session', hash: session, prepare: untilPlanned },
    { name: 'session-dark', hash: session, scheme: 'dark', prepare: untilPlanned },
    { name: 'fleet', hash: session, prepare: tab('Fleet') },
    { name: 'moves', hash: session, prepare: tab('Moves') },
    { name: 'session-narrow', hash: session, width: 390 },
    { name: 'project', hash: `#/projects/${projectId}` },
  ];
};

const take = async (browser: TestBrowser, api: string, picture: Picture): Promise<void> => {
  const page = await browser.visit({
    viewport: { ...size, width: picture.width ?? size.width },
    colorScheme: picture.scheme ?? 'light',
  });
  await page.goto(`${api}/${picture.hash}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await picture.prepare?.(page);
  await page.getByText('Looking…').first().waitFor({ state: 'hidden' });
  await sleep(settledMs);
  const file = path.join(options.folder, `${picture.name}.png`);
  await page.screenshot({ path: file });
  process.stdout.write(`${file}\n`);
  await page.context().close();
};

const main = async (): Promise<void> => {
  const signal = AbortSignal.any([stopSignal(), AbortSignal.timeout(minutesAtMost * 60_000)]);
  const fleet = pictureFleet();
  const hosts = hostsOfPictures(fleet);
  await mkdir(options.folder, { recursive: true });
  await withStack({ fleet, settings: { [settingsTable.simSpeed.name]: speed }, signal }, async (stack) => {
    const manager = startManager(stack.api, () => true);
    const browser = await openBrowser();
    try {
      const sessionId = await create(stack, hosts);
      const areDone = async (): Promise<boolean> =>
        (await stack.db.sessionHost.count({ where: { sessionId, maintained: true } })) >= hosts.length * 0.3;
      await until(areDone, { what: 'a third of the hosts', withinMs: minutesAtMost * 60_000, signal });
      for (const picture of picturesOf(sessionId, fleet.instances[0]?.project_id ?? '')) {
        await take(browser, stack.api, picture);
      }
      const faults = browser.takeFaults();
      if (faults.length > 0) throw new Error(`the page broke its own rules: ${faults.join('; ')}`);
    } finally {
      await browser.close();
      await manager.stop();
    }
  });
};

runTool('pictures', main);
