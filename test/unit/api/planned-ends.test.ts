/** Ends that plans foretell: when a plan is made anew, who waits for it, and what is told meanwhile. */
import { createPlannedEnds, type SessionLookedAt } from '../../../api/services/planned-ends';
import type { PlannedEnd } from '../../../api/summary/expected-end';
import type { Foretold } from '../../../rules/coming/foretold';
import { noTurns } from '../../../rules/reasons/by-plan';

const endAt = (ms: number): PlannedEnd => ({ earliest: ms, expected: ms, latest: ms });

const foretoldAt = (ms: number): Foretold => ({ seenAtMs: ms, beginsAtMs: ms, moves: [] });

const aLook = (changes: Partial<SessionLookedAt['session']> = {}, hostCount = 10): SessionLookedAt => ({
  // Only what makes a plan stale.
  session: {
    ...{ id: 'a', state: 'PLANNED_MAINTENANCE', pausedAt: null, maintenanceAt: new Date(0) },
    ...{ windows: null, canary: null, maxParallelHosts: null, replyPolicy: null, ...changes },
  } as SessionLookedAt['session'],
  hostCount,
});

/** Each plan takes `costMs` of the clock, and foretells its number. */
const aService = ({ costMs = 100, fails = false, timeOfDayMs = 0 } = {}) => {
  const planned: string[] = [];
  let nowMs = 0;
  let held: Promise<void> = Promise.resolve();
  const ends = createPlannedEnds({
    clock: () => nowMs,
    nowMs: () => timeOfDayMs,
    idle: () => Promise.resolve(),
    plan: async (id) => {
      planned.push(id);
      await held;
      nowMs += costMs;
      if (fails) throw new Error('the cloud is away');
      return { end: endAt(planned.length), foretold: foretoldAt(planned.length), turns: noTurns };
    },
  });
  return {
    planned,
    ends,
    pass: (ms: number) => void (nowMs += ms),
    /** @returns lets the plans that begin from now on go on */
    hold: () => {
      let letGo = (): void => undefined;
      held = new Promise((resolve) => {
        letGo = resolve;
      });
      return letGo;
    },
    endOf: async (look: SessionLookedAt) => (await ends.of([look])).get(look.session.id),
  };
};

/** Lets what is under way in the background go on. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

it('waits for the plan of a session, keeps its end for a while, and waits for the next one', async () => {
  const { endOf, planned, pass } = aService();
  expect(await endOf(aLook())).toEqual(endAt(1));
  pass(59_000);
  expect(await endOf(aLook())).toEqual(endAt(1));
  expect(planned).toHaveLength(1);
  pass(1_001);
  expect(await endOf(aLook())).toEqual(endAt(2));
});

it('tells the old end of a large session while its plan is made anew', async () => {
  const { ends, endOf, planned, pass, hold } = aService();
  const large = aLook({}, 101);
  ends.takeFrom(
    'a',
    Promise.resolve({ session: large.session, end: endAt(77), foretold: foretoldAt(77), turns: noTurns, costMs: 100 }),
  );
  await settled();
  pass(60_001);
  const goOn = hold();
  expect(await endOf(large)).toEqual(endAt(77));
  expect(await endOf(large)).toEqual(endAt(77));
  await settled();
  expect(planned).toHaveLength(1);
  goOn();
  await settled();
  expect(await endOf(large)).toEqual(endAt(1));
});

it('plans anew sooner where the foretold end has passed and the session goes on', async () => {
  const { endOf, planned, pass } = aService({ timeOfDayMs: 77 });
  await endOf(aLook());
  pass(29_000);
  await endOf(aLook());
  expect(planned).toHaveLength(1);
  pass(2_000);
  await endOf(aLook());
  expect(planned).toHaveLength(2);
});

it('tells the moves of the same plan', async () => {
  const { ends, endOf, planned } = aService();
  await endOf(aLook());
  expect((await ends.movesOf([aLook()])).get('a')).toEqual(foretoldAt(1));
  expect(planned).toHaveLength(1);
});

it('makes costly plans less often', async () => {
  const { endOf, planned, pass } = aService({ costMs: 12_000 });
  await endOf(aLook());
  pass(239_000);
  await endOf(aLook());
  await settled();
  expect(planned).toHaveLength(1);
  pass(2_000);
  await endOf(aLook());
  await settled();
  expect(planned).toHaveLength(2);
});

it('does not wait for the plan of a large session', async () => {
  const { endOf, hold } = aService();
  const goOn = hold();
  expect(await endOf(aLook({}, 1_000))).toBeUndefined();
  goOn();
  await settled();
  expect(await endOf(aLook({}, 1_000))).toEqual(endAt(1));
});

it.each([
  { what: 'paused and resumed', changes: { pausedAt: new Date(1) } },
  { what: 'given another start', changes: { maintenanceAt: new Date(1) } },
  { what: 'given another limit', changes: { maxParallelHosts: 2 } },
  { what: 'told to ignore the hours of owners', changes: { ownerHours: { mode: 'ignore' } as const } },
])('plans anew at once when the session was $what', async ({ changes }) => {
  const { endOf } = aService();
  await endOf(aLook());
  expect(await endOf(aLook(changes))).toEqual(endAt(2));
});

it('takes over the end of a plan that somebody has asked for', async () => {
  const { endOf, ends, planned } = aService();
  ends.takeFrom(
    'a',
    Promise.resolve({
      session: aLook().session,
      end: endAt(77),
      foretold: foretoldAt(77),
      turns: noTurns,
      costMs: 100,
    }),
  );
  expect(await endOf(aLook())).toEqual(endAt(77));
  expect(planned).toEqual([]);
});

it('makes no plan beside one that somebody has asked for, but where that fails', async () => {
  const { ends, endOf, planned } = aService();
  let fail = (_error: Error): void => undefined;
  ends.takeFrom('a', new Promise((_resolve, reject) => (fail = reject)));
  const end = endOf(aLook());
  await settled();
  expect(planned).toEqual([]);
  fail(new Error('too many plans at once'));
  expect(await end).toEqual(endAt(1));
});

it('tells that a session would not come to its end', async () => {
  const { endOf, ends } = aService();
  ends.takeFrom(
    'a',
    Promise.resolve({ session: aLook().session, end: null, foretold: foretoldAt(77), turns: noTurns, costMs: 100 }),
  );
  expect(await endOf(aLook())).toBeNull();
});

it('knows no end where no plan can be made, and tries again later', async () => {
  const { endOf, planned, pass } = aService({ fails: true });
  expect(await endOf(aLook())).toBeUndefined();
  expect(await endOf(aLook())).toBeUndefined();
  expect(planned).toHaveLength(1);
  pass(60_001);
  await endOf(aLook());
  await settled();
  expect(planned).toHaveLength(2);
});

it('makes one plan at a time', async () => {
  const { ends, planned, hold } = aService();
  const goOn = hold();
  await ends.of([aLook({ id: 'a' }, 1_000), aLook({ id: 'b' }, 1_000)]);
  await settled();
  expect(planned).toEqual(['a']);
  goOn();
  await settled();
  await settled();
  expect(planned).toEqual(['a', 'b']);
});
