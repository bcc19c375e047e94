/** The tests of some cases in which processes are killed at moments; some run side by side. */
import { type FireCase, type FireOutcome, type Kill, runFireCase } from './fire-case';

/** Two cores carry this many services at once. */
const atOnce = 3;
/**
 * The longest time for which work may stand still. It is less than the 60 s after which everything looks again by
 * itself, so a wake-up must have come, and many times the usual time.
 */
const mostSilenceMs = 55_000;

const nameOfKill = ({ victim, moment }: Kill): string =>
  `${victim}, at ${typeof moment === 'string' ? moment : `random: ${moment.afterMs} ms after ${moment.events} events`}`;

const nameOf = (fireCase: FireCase): string => fireCase.map(nameOfKill).join(', then ');

export const testMoments = (cases: readonly FireCase[]): void => {
  const outcomes = new Map<string, Promise<FireOutcome>>();

  beforeAll(() => {
    const places = Array.from({ length: atOnce }, () => Promise.resolve<unknown>(undefined));
    cases.forEach((one, index) => {
      const place = index % atOnce;
      const outcome = places[place]!.then(() => runFireCase(one));
      places[place] = outcome.catch(() => undefined); // its own test reports it
      outcomes.set(nameOf(one), outcome);
    });
  });

  afterAll(async () => {
    await Promise.allSettled(outcomes.values());
  });

  it.each(cases.map((one) => ({ name: nameOf(one) })))(
    '$name: the session is done, nothing happens twice, nothing is lost',
    async ({ name }) => {
      const outcome = await outcomes.get(name)!;
      process.stdout.write(`${name}: ${JSON.stringify(outcome)}\n`);
      expect(outcome.state).toBe('MAINTENANCE_DONE');
      expect(outcome.violations).toEqual([]);
      expect(outcome.longestSilenceMs).toBeLessThan(mostSilenceMs);
    },
  );
};
