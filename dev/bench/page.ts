/**
 * Measures how long the page takes to show a large session, until a control answers a press, and how evenly its hosts
 * scroll, on stored rows with no session running, in a headless Chromium (`npm run bench:page`).
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

interface Visit {
  /** From the begin of loading until the first hosts are there and a dialog has opened. */
  readonly tookMs: number;
  /** Between the frames while the timeline scrolls. */
  readonly frameMs: readonly number[];
}

/** Scrolls the timeline for two seconds, as a wheel does, and takes the time of each frame. */
const scrollFrames = `new Promise((resolve) => {
  const room = document.querySelector('.virtual');
  const times = [];
  const step = (now) => {
    times.push(now);
    room.scrollTop += 90;
    if (now - times[0] < 2000) requestAnimationFrame(step);
    else resolve(times.slice(1).map((time, at) => time - times[at]));
  };
  requestAnimationFrame(step);
})`;

const visit = async (browser: TestBrowser, url: string): Promise<Visit> => {
  const tab = await browser.visit({ viewport: { width: 1280, height: 860 } });
  await tab.goto(url, { waitUntil: 'commit' });
  await tab.locator('.row').first().waitFor();
  await tab.getByRole('button', { name: 'Pause', exact: true }).click();
  await tab.getByRole('dialog').waitFor();
  const tookMs = await tab.evaluate<number>('performance.now()');
  await tab.keyboard.press('Escape');
  const frameMs = await tab.evaluate<number[]>(scrollFrames);
  if (options.picture !== undefined) await tab.screenshot({ path: options.picture });
  await tab.context().close();
  return { tookMs, frameMs };
};

const measure = async (url: string): Promise<Visit[]> => {
  const browser = await openBrowser();
  try {
    const visits: Visit[] = [];
    for (let done = 0; done < warmUp + Number(options.looks); done += 1) {
      visits.push(await visit(browser, url));
      await sleep(restMs);
    }
    return visits.slice(warmUp);
  } finally {
    await browser.close();
  }
};

const main = async (): Promise<void> => {
  const [hosts, instances, seed] = [Number(options.hosts), Number(options.instances), Number(options.seed)];
  const fleet = generateFleet({ hosts, instances, seed, recoverySeconds: 60 });
  const visits = await withStoredService(fleet, async ({ api, db }) =>
    measure(`${api}/#/sessions/${await storeSession(db)}`),
  );
  process.stdout.write(`\n${machineLine()}\n--hosts ${hosts} --instances ${instances} --seed ${seed}\n`);
  const tookMs = visits.map((one) => one.tookMs);
  printTable('The page of a session', [
    ['aim ms', 'p50 ms', 'p90 ms', 'mean ms'],
    [String(aimMs), ...inMs([percentile(tookMs, 0.5), percentile(tookMs, 0.9), mean(tookMs)])],
  ]);
  const frameMs = visits.flatMap((one) => one.frameMs);
  printTable('Frames while the timeline scrolls', [
    ['frames a second', 'p50 ms', 'p90 ms', 'p99 ms'],
    [(1_000 / mean(frameMs)).toFixed(0), ...inMs([0.5, 0.9, 0.99].map((share) => percentile(frameMs, share)))],
  ]);
};

const inMs = (values: readonly number[]): string[] => values.map((ms) => ms.toFixed(0));

runTool('bench:page', main);
