/**
 * Measures how long the page takes to show a large session, until a control answers a press, on stored rows with no
 * session running, in a headless Chromium (`npm run bench:page`).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { runTool } from '../../config/run-program';
import { openBrowser, type TestBrowser } from '../../test/browser/open-browser';
import { generateFleet } from './generate-fleet';
import { machineLine } from './machine';
import { mean, percentile } from './percentile';
import { printTable } from './print-table';
import { withStoredService } from './stored-service';
import { storeSession } from './stored-session';

const { values: options } = parseArgs({
  options: {
    hosts: { type: 'string', default: '1000' },
    instances: { type: 'string', default: '10500' },
    seed: { type: 'string', default: '1' },
    looks: { type: 'string', default: '10' },
    picture: { type: 'string' },
  },
});

const aimMs = 1_500;
/** The first visits find nothing compiled, in the service and in the browser. */
const warmUp = 2;
/** Each visit asks for a plan of the session, whose making must not slow down the next visit. */
const restMs = 6_000;

/** @returns milliseconds from the begin of loading until the first hosts are there and a dialog has opened */
const visit = async (browser: TestBrowser, url: string): Promise<number> => {
  const tab = await browser.visit({ viewport: { width: 1280, height: 860 } });
  await tab.goto(url, { waitUntil: 'commit' });
  await tab.locator('.row').first().waitFor();
  await tab.getByRole('button', { name: 'Pause', exact: true }).click();
  await tab.getByRole('dialog').waitFor();
  const tookMs = await tab.evaluate<number>('performance.now()');
  if (options.picture !== undefined) {
    await tab.keyboard.press('Escape');
    await tab.screenshot({ path: options.picture });
  }
  await tab.context().close();
  return tookMs;
};

const measure = async (url: string): Promise<number[]> => {
  const browser = await openBrowser();
  try {
    const tookMs: number[] = [];
    for (let done = 0; done < warmUp + Number(options.looks); done += 1) {
      tookMs.push(await visit(browser, url));
      await sleep(restMs);
    }
    return tookMs.slice(warmUp);
  } finally {
    await browser.close();
  }
};

const main = async (): Promise<void> => {
  const [hosts, instances, seed] = [Number(options.hosts), Number(options.instances), Number(options.seed)];
  const fleet = generateFleet({ hosts, instances, seed, recoverySeconds: 60 });
  const tookMs = await withStoredService(fleet, async ({ api, db }) =>
    measure(`${api}/#/sessions/${await storeSession(db)}`),
  );
  process.stdout.write(`\n${machineLine()}\n--hosts ${hosts} --instances ${instances} --seed ${seed}\n`);
  const figures = [percentile(tookMs, 0.5), percentile(tookMs, 0.9), mean(tookMs)].map((ms) => ms.toFixed(0));
  printTable('The page of a session', [
    ['aim ms', 'p50 ms', 'p90 ms', 'mean ms'],
    [String(aimMs), ...figures],
  ]);
};

runTool('bench:page', main);
