/** Which entries are worth telling to the owners of instances, by what they were told last. */
import { keyOf } from '../../../../rules/cloud/id';
import {
  type ComingOfProject,
  type TellingFacts,
  tellingOfRemoval,
  type ToldComing,
  worthTelling,
} from '../../../../rules/coming/worth-telling';

const instanceId = 'aaaaaaaa-0000-4000-8000-000000000001';
const names = { instanceId, instanceName: 'web-1', projectId: '11111111111141118111111111111111' };
const minute = 60_000;

const startingAt = (expected: number) => ({ earliest: expected, expected, latest: expected + minute });

const entry = (fields: Partial<ComingOfProject> = {}): ComingOfProject => ({
  ...{ ...names, status: 'scheduled', impact: 'LIVE_MIGRATE', startsAtMs: startingAt(60 * minute), takesMs: minute },
  ...fields,
});
const withoutStart = (fields: Partial<ComingOfProject> = {}): ComingOfProject => ({
  ...{ ...names, status: 'scheduled', impact: 'LIVE_MIGRATE' },
  ...fields,
});

const told = (fields: Partial<ToldComing> = {}): ToldComing => ({
  ...{ ...names, status: 'scheduled', impact: 'LIVE_MIGRATE', sequence: 3 },
  ...{ startsAtMs: 60 * minute, latestAtMs: 61 * minute, endsAtMs: 61 * minute },
  ...fields,
});

const facts = (fields: Partial<TellingFacts> = {}): TellingFacts => ({
  ...{ now: [entry()], told: [], isComplete: true, ended: new Set(), movedMs: 10 * minute },
  ...fields,
});

const after = (fields: Partial<TellingFacts>) =>
  worthTelling(facts(fields)).map(({ change = 'kept', word: { status, sequence, startsAtMs } }) => [
    ...[change, status, sequence],
    startsAtMs / minute,
  ]);

it('tells of an instance that is first scheduled, once', () => {
  const tellings = worthTelling(facts());
  expect(tellings).toEqual([{ change: 'scheduled', word: told({ sequence: 0 }) }]);
  expect(worthTelling(facts({ told: tellings.map(({ word }) => word) }))).toEqual([]);
});

it.each<{ readonly what: string; readonly given: Partial<TellingFacts>; readonly expected: readonly unknown[] }>([
  { what: 'nothing that has no time yet', given: { now: [withoutStart()] }, expected: [] },
  {
    what: 'nothing of a start that moves by no more than the limit',
    given: { now: [entry({ startsAtMs: startingAt(70 * minute) })], told: [told()] },
    expected: [],
  },
  {
    what: 'of a start that comes later by more than the limit',
    given: { now: [entry({ startsAtMs: startingAt(71 * minute) })], told: [told()] },
    expected: [['moved', 'scheduled', 4, 71]],
  },
  {
    what: 'of a start that comes sooner by more than the limit',
    given: { now: [entry({ startsAtMs: startingAt(49 * minute) })], told: [told()] },
    expected: [['moved', 'scheduled', 4, 49]],
  },
  {
    what: 'nothing of a question, but keeps that it is asked',
    given: { now: [entry({ status: 'inquiring' })], told: [told()] },
    expected: [['kept', 'inquiring', 3, 60]],
  },
  {
    what: 'nothing of a pause, in which nobody knows the time',
    given: { now: [withoutStart()], told: [told()] },
    expected: [],
  },
  {
    what: 'nothing of a start, but keeps its time',
    given: { now: [withoutStart({ status: 'executing', startedAtMs: 62 * minute })], told: [told()] },
    expected: [['kept', 'executing', 4, 62]],
  },
  {
    what: 'nothing of an end, but keeps it',
    given: {
      now: [withoutStart({ status: 'completed', startedAtMs: 62 * minute, endedAtMs: 63 * minute })],
      told: [told({ status: 'executing', startsAtMs: 62 * minute })],
    },
    expected: [['kept', 'completed', 3, 62]],
  },
  {
    what: 'nothing of what was over before anybody was told',
    given: { now: [withoutStart({ status: 'completed', startedAtMs: 1, endedAtMs: 2 })] },
    expected: [],
  },
  {
    what: 'of a further action of an instance that has moved in the session',
    given: {
      now: [entry({ startsAtMs: startingAt(90 * minute) })],
      told: [told({ status: 'completed', startsAtMs: 62 * minute })],
    },
    expected: [['scheduled', 'scheduled', 4, 90]],
  },
  {
    what: 'nothing of a failure, but keeps it',
    given: { now: [withoutStart({ status: 'failed' })], told: [told()] },
    expected: [['kept', 'failed', 3, 60]],
  },
  {
    what: 'of a failed session that goes on, where the start has moved',
    given: { now: [entry({ startsAtMs: startingAt(90 * minute) })], told: [told({ status: 'failed' })] },
    expected: [['moved', 'scheduled', 4, 90]],
  },
  {
    what: 'of what is canceled',
    given: { now: [withoutStart({ status: 'canceled' })], told: [told()] },
    expected: [['canceled', 'canceled', 4, 60]],
  },
  {
    what: 'nothing of what is canceled already, or was told to nobody',
    given: {
      now: [withoutStart({ status: 'canceled' }), withoutStart({ status: 'canceled', instanceId: keyOf('other') })],
      told: [told({ status: 'canceled' })],
    },
    expected: [],
  },
  {
    what: 'of an instance that takes part again after it was canceled',
    given: { told: [told({ status: 'canceled' })] },
    expected: [['scheduled', 'scheduled', 4, 60]],
  },
  {
    what: 'of an instance for which nothing comes any more',
    given: { now: [], told: [told()] },
    expected: [['canceled', 'canceled', 4, 60]],
  },
  {
    what: 'nothing of an instance without an entry while there is no plan',
    given: { now: [], told: [told()], isComplete: false },
    expected: [],
  },
  {
    what: 'nothing of an instance that was evicted, but keeps that it is over',
    given: { now: [], told: [told({ status: 'executing' })], ended: new Set([keyOf(instanceId)]) },
    expected: [['kept', 'completed', 3, 60]],
  },
])('tells $what', ({ given, expected }) => {
  expect(after(given)).toEqual(expected);
});

it('cancels what has not begun when the session is removed, and ends what goes on', () => {
  const all = (['inquiring', 'scheduled', 'failed', 'executing', 'completed', 'canceled'] as const).map((status) =>
    told({ status, instanceId: keyOf(status) }),
  );
  expect(tellingOfRemoval(all).map(({ change, word }) => [word.instanceId, change, word.status])).toEqual([
    ...['inquiring', 'scheduled', 'failed'].map((id) => [id, 'canceled', 'canceled']),
    ['executing', undefined, 'completed'],
  ]);
});
