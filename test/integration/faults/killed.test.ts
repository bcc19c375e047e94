/**
 * api, worker and PostgreSQL killed (kill -9) at the moments that hurt most, and at a random one: the session ends as
 * if nothing had been. Each case has a service of its own; some run side by side.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bundleWorkflowCode } from '@temporalio/worker';
import { workflowsPath } from '../../../worker/make-worker';
import { type FireOutcome, type RandomMoment, runFireCase } from './fire-case';
import { moments } from './moments';
import { victims } from './service-under-fire';

/** PARLEY_FAULTS_SEED repeats the random moments of an earlier run. */
const seed = Number(process.env['PARLEY_FAULTS_SEED'] ?? Date.now() % 1_000_000);

/** A session of this fleet has some forty events; the last of them come when all is done. */
const randomMoment = (index: number): RandomMoment => {
  const fraction = (salt: number): number => Math.abs(Math.sin(seed * 12.9898 + index * 78.233 + salt)) % 1;
  return { events: 1 + Math.floor(fraction(1) * 34), afterMs: Math.floor(fraction(2) * 400) };
};

const cases = victims.flatMap((victim, index) =>
  [...moments, randomMoment(index)].map((moment) => ({
    victim,
    moment,
    name: typeof moment === 'string' ? moment : `random: ${moment.afterMs} ms after ${moment.events} events`,
  })),
);

/** Two cores carry this many services at once. */
const atOnce = 3;
const longestRunMs = 600_000;
/** How long work may stand still after a kill. */
const mostSilenceMs = 30_000;

const outcomes = new Map<string, Promise<FireOutcome>>();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'parley-bundle-'));
  const bundle = path.join(folder, 'workflow-bundle.js');
  await writeFile(bundle, (await bundleWorkflowCode({ workflowsPath })).code);
  const places = Array.from({ length: atOnce }, () => Promise.resolve<unknown>(undefined));
  cases.forEach(({ victim, moment, name }, index) => {
    const place = index % atOnce;
    const outcome = places[place]!.then(() => runFireCase({ victim, moment, bundle }));
    places[place] = outcome.catch(() => undefined); // its own test reports it
    outcomes.set(`${victim} ${name}`, outcome);
  });
}, 120_000);

afterAll(async () => {
  await Promise.allSettled(outcomes.values());
  await rm(folder, { recursive: true, force: true });
}, longestRunMs);

describe(`killed with -9 (PARLEY_FAULTS_SEED=${seed})`, () => {
  it.each(cases)(
    '$victim, at $name: the session is done, nothing happens twice, nothing is lost',
    async ({ victim, name }) => {
      const outcome = await outcomes.get(`${victim} ${name}`)!;
      process.stdout.write(`${victim}, ${name}: ${JSON.stringify(outcome)}\n`);
      expect(outcome.state).toBe('MAINTENANCE_DONE');
      expect(outcome.violations).toEqual([]);
      expect(outcome.longestSilenceMs).toBeLessThan(mostSilenceMs);
    },
    longestRunMs,
  );
});
