/** What is coming for each instance of a project in a session, from its records and its plan. */
import { keyOf } from '../../../../rules/cloud/id';
import {
  type ClaimInTime,
  type ComingFacts,
  comingIn,
  type KnownInstance,
  type OpenQuestion,
} from '../../../../rules/coming/coming';
import type { Foretold, ForetoldMove } from '../../../../rules/coming/foretold';

const [one, two] = ['aaaaaaaa-0000-4000-8000-000000000001', 'aaaaaaaa-0000-4000-8000-000000000002'] as const;
const own = '11111111-1111-4111-8111-111111111111';

const known = (fields: Partial<KnownInstance> = {}): KnownInstance => ({
  ...{ instanceId: one, instanceName: 'web-1', isGone: false, action: null, actionDone: false, hostPhase: 'waiting' },
  ...fields,
});

const claim = (fields: Partial<ClaimInTime> = {}): ClaimInTime => ({
  ...{ instanceId: one, action: 'MIGRATE', startedAtMs: 1_200, endedAtMs: null, outcome: null },
  ...fields,
});
const done = claim({ endedAtMs: 1_300, outcome: 'done' });

const question = (fields: Partial<OpenQuestion> = {}): OpenQuestion => ({
  ...{ state: 'MAINTENANCE', instanceId: null, instanceIds: [one] },
  ...fields,
});

const move = (fields: Partial<ForetoldMove> = {}): ForetoldMove => ({
  ...{ instanceId: one, instanceName: 'web-1', projectId: own, action: 'LIVE_MIGRATE' },
  ...{ fromMs: 5_000, toMs: 5_100 },
  ...fields,
});

const foretold = (moves: readonly ForetoldMove[] = [move()], seenAtMs = 1_000): Foretold => ({
  ...{ seenAtMs, beginsAtMs: 2_000, moves },
  endsAtMs: { earliest: 6_000, expected: 10_000, latest: 18_000 },
});

const facts = (fields: Partial<ComingFacts> = {}): ComingFacts => ({
  ...{ nowMs: 1_500, projectKey: keyOf(own), instances: [known()], claims: [], questions: [] },
  ...{ ownerTimes: new Map(), ...fields },
});

const statuses = (given: ComingFacts) => comingIn(given).map(({ status, impact }) => [status, impact]);

it.each<{ readonly what: string; readonly given: Partial<ComingFacts>; readonly expected: readonly unknown[] }>([
  { what: 'is foretold', given: { foretold: foretold() }, expected: ['scheduled', 'LIVE_MIGRATE'] },
  { what: 'waits, and no plan is made yet', given: {}, expected: ['scheduled', undefined] },
  {
    what: 'is asked about with its project',
    given: { foretold: foretold(), questions: [question()] },
    expected: ['inquiring', 'LIVE_MIGRATE'],
  },
  {
    what: 'belongs to a project that is asked for capacity',
    given: { foretold: foretold(), questions: [question({ state: 'SCALE_IN' })] },
    expected: ['scheduled', 'LIVE_MIGRATE'],
  },
  {
    what: 'is moved',
    given: { foretold: foretold(), claims: [claim()] },
    expected: ['executing', 'MIGRATE'],
  },
  {
    what: 'has a claim whose action has not begun',
    given: { foretold: foretold(), claims: [claim({ startedAtMs: null })] },
    expected: ['scheduled', 'LIVE_MIGRATE'],
  },
  {
    what: 'has moved since the plan was made',
    given: { foretold: foretold(), claims: [done] },
    expected: ['completed', 'MIGRATE'],
  },
  {
    what: 'has moved to a host whose turn comes later',
    given: { foretold: foretold([move(), move({ fromMs: 9_000, action: 'OWN_ACTION' })]), claims: [done] },
    expected: ['scheduled', 'OWN_ACTION'],
  },
  {
    what: 'has moved, and moves again by a newer plan',
    given: { foretold: foretold([move()], 1_400), claims: [done] },
    expected: ['scheduled', 'LIVE_MIGRATE'],
  },
  {
    what: 'was refused by a target',
    given: { claims: [claim({ endedAtMs: 1_300, outcome: 'refused' })] },
    expected: ['scheduled', undefined],
  },
  {
    what: 'could not be moved',
    given: { claims: [claim({ endedAtMs: 1_300, outcome: 'failed' })] },
    expected: ['failed', 'MIGRATE'],
  },
  { what: 'is in a session that has failed', given: { ending: 'failed' }, expected: ['failed', undefined] },
  {
    what: 'had moved before its session failed',
    given: { ending: 'failed', claims: [done] },
    expected: ['completed', 'MIGRATE'],
  },
  { what: 'is in a session that is aborted', given: { ending: 'canceled' }, expected: ['canceled', undefined] },
  {
    what: 'still moves in a session that is aborted',
    given: { ending: 'canceled', claims: [claim()] },
    expected: ['executing', 'MIGRATE'],
  },
  {
    what: 'is on a host that is left out',
    given: { instances: [known({ hostPhase: 'skipped' })] },
    expected: ['canceled', undefined],
  },
  {
    what: 'is on a host that was set aside',
    given: { instances: [known({ hostPhase: 'set_aside', action: 'MIGRATE' })] },
    expected: ['failed', 'MIGRATE'],
  },
])('$expected.0: an instance that $what', ({ given, expected }) => {
  expect(statuses(facts(given))).toEqual([expected]);
});

it.each<{ readonly what: string; readonly given: Partial<ComingFacts> }>([
  { what: 'is gone', given: { instances: [known({ isGone: true })], foretold: foretold() } },
  { what: 'has left the hosts of the session by itself', given: { instances: [known({ hostPhase: null })] } },
  { what: 'is of another project', given: { instances: [], foretold: foretold([move({ projectId: two })]) } },
])('tells nothing of an instance that $what', ({ given }) => {
  expect(comingIn(facts(given))).toEqual([]);
});

it('tells of an instance that no question has reached yet, by the plan alone', () => {
  const projectId = own.replaceAll('-', '').toUpperCase();
  expect(comingIn(facts({ instances: [], foretold: foretold([move({ projectId })]) }))).toEqual([
    {
      ...{ instanceId: one, instanceName: 'web-1', status: 'scheduled', impact: 'LIVE_MIGRATE' },
      startsAtMs: { earliest: 3_500, expected: 5_000, latest: 8_000 },
      takesMs: 100,
    },
  ]);
});

it('begins nothing before the time that the owner has set', () => {
  const ownerTimes = new Map([[keyOf(one), { notBeforeMs: 7_000 }]]);
  expect(comingIn(facts({ foretold: foretold(), ownerTimes, notBeforeLatestMs: 9_000 }))).toMatchObject([
    {
      ...{ notBeforeMs: 7_000, notBeforeLatestMs: 9_000 },
      startsAtMs: { earliest: 7_000, expected: 7_000, latest: 8_000 },
      takesMs: 100,
    },
  ]);
});

it('tells when an action began and ended, and foretells nothing of it', () => {
  const [entry] = comingIn(facts({ foretold: foretold(), claims: [done], notBeforeLatestMs: 9_000 }));
  expect(entry).toEqual({
    ...{ instanceId: one, instanceName: 'web-1', status: 'completed', impact: 'MIGRATE' },
    ...{ startedAtMs: 1_200, endedAtMs: 1_300 },
  });
});

it('names the question about one instance before the one about the project', () => {
  const single = question({ state: 'PLANNED_MAINTENANCE', instanceId: one });
  expect(comingIn(facts({ questions: [single, question()] }))).toMatchObject([{ question: single }]);
});

it('sorts by time: first what has begun, last what has no time', () => {
  const three = 'aaaaaaaa-0000-4000-8000-000000000003';
  const instances = [
    known({ instanceId: three, instanceName: 'web-0' }),
    known({ instanceName: 'web-9' }),
    known({ instanceId: two, instanceName: 'web-2' }),
  ];
  const found = comingIn(facts({ instances, claims: [claim()], foretold: foretold([move({ instanceId: two })]) }));
  expect(found.map(({ instanceName }) => instanceName)).toEqual(['web-9', 'web-2', 'web-0']);
});
