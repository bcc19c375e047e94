/** Before projects are asked for capacity: the cloud is listed anew, and a host that is starting is waited for. */
import { pino } from 'pino';
import { createDecisionActivities } from '../../../../activities/decisions/decision-activities';
import { createDecisionTurns } from '../../../../activities/decisions/decision-turns';
import { createQuestionActivities } from '../../../../activities/questions/question-activities';
import type { StateRef } from '../../../../activities/questions/state-ref';
import type { Services } from '../../../../activities/services';
import type { CloudHost } from '../../../../rules/cloud/cloud-facts';
import { noMeasures } from '../../../../telemetry/metrics/measures';
import { drafts } from '../../events/recorded-facts';
import { createTestDatabase } from '../../setup/test-database';
import { aCloudWith, anInstanceOn, hostStartSeconds, targetFor } from '../moves/granted-move';
import { recordRun } from '../session/recorded-run';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

/** A session in this state whose host a is still to do, and whose host b was maintained a while ago. */
const aSessionIn = async (state: string, secondsAgo = 60) => {
  const enabledAt = new Date(Date.now() - secondsAgo * 1000);
  const maintained = { hostname: 'b', phase: 'maintained', maintained: true, disabledBefore: false, enabledAt };
  const { sessionId, ...recorded } = await recordRun(database.db, { state }, [{ hostname: 'a' }, maintained]);
  const run = <T>(work: (ref: StateRef) => Promise<T>): Promise<T> => recorded.run(() => work({ sessionId, state }));
  return { run };
};

const listing = (given: Partial<CloudHost>) => () =>
  Promise.resolve([
    { ...targetFor(2), name: 'a' },
    { ...targetFor(2), ...given },
  ]);

const servicesWith = (lately: Partial<CloudHost>, now: Partial<CloudHost>): Services => {
  const instance = anInstanceOn('a');
  const listings = {
    listHostsLately: listing(lately),
    listHosts: listing(now),
    listInstances: () => Promise.resolve([instance]),
  };
  const { db } = database;
  const logger = pino({ level: 'silent' });
  const limits = { hostStartSeconds, scaleInRounds: 1, scaleInReplySeconds: 60, defaultImpactShare: 0 };
  // The services that these activities need.
  return {
    db,
    cloud: aCloudWith(db, { instance }, listings),
    decisionTurns: createDecisionTurns(),
    drafts,
    limits,
    logger,
    measures: noMeasures,
  } as unknown as Services;
};

it.each([
  { situation: 'was down lately and is up', secondsAgo: 2 * hostStartSeconds, now: {}, drain: ['a'] },
  { situation: 'is starting', secondsAgo: 60, now: { isUp: false }, drain: [] },
  {
    situation: 'went down a short time ago',
    secondsAgo: 2 * hostStartSeconds,
    now: { isUp: false, downSince: new Date(Date.now() - 60_000) },
    drain: [],
  },
])('goes on where a host just maintained $situation', async ({ secondsAgo, now, drain }) => {
  const { run } = await aSessionIn('PLANNED_MAINTENANCE', secondsAgo);
  const plan = await run((ref) => createDecisionActivities(servicesWith({ isUp: false }, now)).planAndAdmit(ref));
  expect(plan.next).toBeUndefined();
  expect(plan.underWork.map(({ hostname }) => hostname)).toEqual(drain);
});

it('asks for capacity where a host is down for longer than it may take to start', async () => {
  const { run } = await aSessionIn('PLANNED_MAINTENANCE', 2 * hostStartSeconds);
  const plan = await run((ref) =>
    createDecisionActivities(servicesWith({ isUp: false }, { isUp: false })).planAndAdmit(ref),
  );
  expect(plan.next).toBe('SCALE_IN');
});

it('asks nobody in SCALE_IN, and does not fail, while a host is starting', async () => {
  const { run } = await aSessionIn('SCALE_IN');
  const standing = await run((ref) => createQuestionActivities(servicesWith({}, { isUp: false })).scaleIn(ref));
  expect(standing).toMatchObject({ lookAgainMs: 5_000, awaitedProjects: [] });
  expect(standing.failure).toBeUndefined();
  expect(await database.db.question.count()).toBe(0);
});
