/** A move that is still under way when its limit passes, and what the cloud says when it is to be stopped. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { pino } from 'pino';
import { createActionActivities } from '../../../../activities/moves/action-activities';
import type { Services } from '../../../../activities/services';
import { BlockedRefusal, type CloudDriver, type MoveStatus } from '../../../../clouds/cloud-driver';
import { simulatedActions } from '../../../../rules/simulation/simulated-actions';
import { noMeasures } from '../../../../telemetry/metrics/measures';
import { drafts } from '../../events/recorded-facts';
import { createTestDatabase } from '../../setup/test-database';
import { runAs } from '../session/recorded-run';
import { aCloudWith, anInstanceOn, grantMove, startLimits, storeConstraints, stored } from './granted-move';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const moveSeconds = 60;
const overdueSince = new Date(Date.now() - 2 * moveSeconds * 1000);

const endWhereTheCloudSays = async (status: MoveStatus) => {
  const { db } = database;
  const instance = anInstanceOn('a');
  const { beginner } = await grantMove(db, instance, { action: 'MIGRATE', startedAt: overdueSince });
  const cloud = aCloudWith(
    db,
    { instance },
    {
      startMove: () => Promise.resolve({ kind: 'running' }),
      abortMove: () => Promise.resolve(status),
    },
  );
  // The services that this activity needs.
  const services = {
    db,
    cloud,
    drafts,
    limits: { moveSeconds },
    logger: pino({ level: 'silent' }),
    measures: noMeasures,
  } as unknown as Services;
  const host = { sessionId: beginner.sessionId, hostname: beginner.hostname, claimId: beginner.claimId };
  const calling = { workflowExecution: { workflowId: 'host', runId: beginner.runId } };
  const activities = createActionActivities(services);
  const carryOut = () => activities.carryOutAction(host);
  expect(await new MockActivityEnvironment(calling).run(carryOut)).toBe('over');
  const { outcome, target } = await db.claim.findUniqueOrThrow({ where: { id: beginner.claimId } });
  return { outcome, target };
};

it.each<{ status: MoveStatus; outcome: string; target: string }>([
  { status: { kind: 'failed', reason: 'aborted' }, outcome: 'failed', target: 'b' },
  { status: { kind: 'running' }, outcome: 'failed', target: 'b' },
  { status: { kind: 'done', host: 'c' }, outcome: 'done', target: 'c' },
  { status: { kind: 'gone' }, outcome: 'gone', target: 'b' },
])('ends as $outcome where the cloud says $status.kind', async ({ status, ...end }) => {
  expect(await endWhereTheCloudSays(status)).toEqual(end);
});

it.each([
  { situation: 'shortened', stored: 60, changed: 1, expected: 'over' },
  { situation: 'lengthened', stored: 1, changed: 60, expected: 'fallBack' },
])('keeps the limit that a live migration began with, where it is $situation', async (limit) => {
  const { db } = database;
  const instance = anInstanceOn('a');
  await storeConstraints(db, instance);
  const { instanceId } = instance;
  const change = (maxInterruptionTime: number) =>
    db.instanceConstraint.updateMany({ where: { instanceId }, data: { maxInterruptionTime } });
  await change(limit.stored);
  const { beginner } = await grantMove(db, instance, { constraintsAt: stored });
  const cloud = aCloudWith(db, { instance }, { startMove: () => Promise.reject(new Error('the worker is killed')) });
  const services = { db, cloud, drafts, limits: startLimits, logger: pino({ level: 'silent' }), measures: noMeasures };
  const carryOut = (changes: Partial<CloudDriver>) => {
    const workflowCalls = { wakeSession: () => Promise.resolve() };
    const given = { ...services, workflowCalls, cloud: { ...cloud, ...changes } } as unknown as Services;
    const { claimId, sessionId, hostname, runId } = beginner;
    const activity = () => createActionActivities(given).carryOutAction({ claimId, sessionId, hostname });
    return runAs({ workflowId: 'host', runId }, activity);
  };
  await expect(carryOut({})).rejects.toThrow('killed');
  await change(limit.changed);
  await db.claim.updateMany({ data: { startedAt: new Date(Date.now() - 30_000) } });
  const running = () => Promise.resolve({ kind: 'running' } as const);
  const done = () => Promise.resolve({ kind: 'done', host: 'b' } as const);
  expect(await carryOut({ startMove: running, observeMove: done })).toBe(limit.expected);
});

const onContainers = { actions: { ...simulatedActions, default: 'EVICTION', forced: 'EVICTION' } } as const;

it.each([
  { action: 'LIVE_MIGRATE' as const, where: 'the default action', driver: {}, expected: 'fallBack' },
  { action: 'MIGRATE' as const, where: 'not the default action', driver: {}, expected: 'over' },
  { action: 'EVICTION' as const, where: 'not the default action', driver: {}, expected: 'over' },
  { action: 'EVICTION' as const, where: 'the default action', driver: onContainers, expected: 'fallBack' },
  { action: 'LIVE_MIGRATE' as const, where: 'not the default action', driver: onContainers, expected: 'over' },
])('a failed $action is $expected where it is $where of its cloud', async ({ action, driver, expected }) => {
  const { db } = database;
  const instance = anInstanceOn('a');
  const { beginner } = await grantMove(db, instance, { action });
  const startMove = () => Promise.resolve({ kind: 'failed', reason: 'no' } as const);
  const cloud = aCloudWith(db, { instance }, { ...driver, startMove });
  const workflowCalls = { wakeSession: () => Promise.resolve() };
  const services = {
    db,
    cloud,
    workflowCalls,
    drafts,
    limits: startLimits,
    logger: pino({ level: 'silent' }),
    measures: noMeasures,
  };
  const { claimId, sessionId, hostname, runId } = beginner;
  const carryOut = () =>
    createActionActivities(services as unknown as Services).carryOutAction({ claimId, sessionId, hostname });
  expect(await runAs({ workflowId: 'host', runId }, carryOut)).toBe(expected);
});

it.each([
  {
    situation: 'leaves it to its project where the cloud says that it cannot move',
    said: { cannotMove: 'Nova said: never' },
    end: { outcome: 'dropped', phase: 'closed' },
  },
  {
    situation: 'fails where somebody has to put something right first',
    said: {},
    end: { outcome: 'failed', phase: 'recovering' },
  },
])('a move that is not possible in any way is not forced, and $situation', async ({ said, end }) => {
  const { db } = database;
  const instance = anInstanceOn('a');
  const { beginner, claim } = await grantMove(db, instance, { startedAt: new Date(), recoveryTime: 60 });
  const startMove = () => Promise.reject(new BlockedRefusal('never'));
  const cloud = aCloudWith(db, { instance: { ...instance, ...said } }, { startMove });
  const workflowCalls = { wakeSession: () => Promise.resolve() };
  const services = {
    db,
    cloud,
    workflowCalls,
    drafts,
    limits: startLimits,
    logger: pino({ level: 'silent' }),
    measures: noMeasures,
  };
  const { claimId, sessionId, hostname, runId } = beginner;
  const carryOut = () =>
    createActionActivities(services as unknown as Services).carryOutAction({ claimId, sessionId, hostname });
  expect(await runAs({ workflowId: 'host', runId }, carryOut)).toBe('over');
  expect(await db.claim.findUniqueOrThrow({ where: { id: claim.id } })).toMatchObject({ ...end, forcedAt: null });
});
