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

interface FirstView {
  /** From the begin of loading until the first hosts are there. */
  readonly hostsMs: number;
  /** Until a dialog has opened, whose button was pressed as soon as the hosts were there. */
  readonly answeredMs: number;
  /** Bytes that were received by then, as they were compressed. */
  readonly bytes: number;
}

interface Visit extends FirstView {
  /** Between the frames while the timeline scrolls. */
  readonly frameMs: readonly number[];
  /** The time for which the page was at work while it scrolled. */
  readonly workMs: number;
}

/** Measures in the page: this process serves the API, and would notice too late what the page does. */
const watchFirstView = `{
  const received = () => performance.getEntries().reduce((sum, { transferSize = 0 }) => sum + transferSize, 0);
  const watcher = new MutationObserver(() => {
    const seen = (window.firstView ??= {});
    if (seen.hostsMs === undefined && document.querySelector('.row') !== null) {
      seen.hostsMs = performance.now();
      [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Pause').click();
    }
    if (document.querySelector('dialog[open]') === null) return;
    Object.assign(seen, { answeredMs: performance.now(), bytes: received() });
    watcher.disconnect();
  });
  watcher.observe(document, { childList: true, subtree: true, attributeFilter: ['open'] });
}`;

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

/** @returns what tells the time for which the page has been at work since then, on its main thread */
const measureWork = async (tab: Awaited<ReturnType<TestBrowser['visit']>>): Promise<() => Promise<number>> => {
  const session = await tab.context().newCDPSession(tab);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const now = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN) * 1_000;
  };
  const beganAt = await now();
  return async () => (await now()) - beganAt;
};

const visit = async (browser: TestBrowser, url: string): Promise<Visit> => {
  const tab = await browser.visit({ viewport: { width: 1280, height: 860 } });
  await tab.addInitScript({ content: watchFirstView });
  await tab.goto(url, { waitUntil: 'commit' });
  await tab.getByRole('dialog').waitFor();
  const firstView = await tab.evaluate<FirstView>('window.firstView');
  await tab.keyboard.press('Escape');
  const workMsSince = await measureWork(tab);
  const frameMs = await tab.evaluate<number[]>(scrollFrames);
  const workMs = await workMsSince();
  if (options.picture !== undefined) await tab.screenshot({ path: options.picture });
  await tab.context().close();
  return { ...firstView, frameMs, workMs };
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
  const kilobytes = (mean(visits.map(({ bytes }) => bytes)) / 1024).toFixed(0);
  printTable('The page of a session', [
    ['aim ms', 'hosts p50', 'hosts p90', 'answers p50', 'answers p90', 'KB'],
    [
      String(aimMs),
      ...spreadOf(visits.map(({ hostsMs }) => hostsMs)),
      ...spreadOf(visits.map(({ answeredMs }) => answeredMs)),
      kilobytes,
    ],
  ]);
  const frameMs = visits.flatMap((one) => one.frameMs);
  printTable('Frames while the timeline scrolls', [
    ['frames a second', 'p50 ms', 'p90 ms', 'p99 ms', 'work ms a frame'],
    [
      (1_000 / mean(frameMs)).toFixed(0),
      ...spreadOf(frameMs, [0.5, 0.9, 0.99]),
      (visits.reduce((sum, { workMs }) => sum + workMs, 0) / frameMs.length).toFixed(1),
    ],
  ]);
};

const spreadOf = (values: readonly number[], shares: readonly number[] = [0.5, 0.9]): string[] =>
  shares.map((share) => percentile(values, share).toFixed(0));

runTool('bench:page', main);
