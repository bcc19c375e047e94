/**
 * api, worker and PostgreSQL killed (kill -9) at the moments that hurt most, and at a random one: the session ends as
 * if nothing had been. Each case has a service of its own.
 */
import type { RandomMoment } from '../integration/faults/fire-case';
import { testMoments } from '../integration/faults/moment-tests';
import { moments } from '../integration/faults/moments';
import { victims } from '../integration/faults/service-under-fire';

/** PARLEY_FAULTS_SEED repeats the random moments of an earlier run. */
const seed = Number(process.env['PARLEY_FAULTS_SEED'] ?? Date.now() % 1_000_000);

/** A session of this fleet has 36 events; the last of them come when all is done. */
const randomMoment = (index: number): RandomMoment => {
  const fraction = (salt: number): number => Math.abs(Math.sin(seed * 12.9898 + index * 78.233 + salt)) % 1;
  return { events: 1 + Math.floor(fraction(1) * 28), afterMs: Math.floor(fraction(2) * 400) };
};

describe(`PARLEY_FAULTS_SEED=${seed}`, () => {
  testMoments(
    victims.flatMap((victim, index) => [...moments, randomMoment(index)].map((moment) => [{ victim, moment }])),
  );
});
