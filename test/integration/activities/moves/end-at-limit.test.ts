/** A move that is still under way when its limit passes, and what the cloud says when it is to be stopped. */
import { pino } from 'pino';
import { carryOutGranted } from '../../../../activities/moves/action-activities';
import type { Services } from '../../../../activities/services';
import { BlockedRefusal, type CloudDriver, type MoveStatus } from '../../../../clouds/cloud-driver';
import { movesUnless } from '../../../../rules/cloud/departure';
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

type Beginner = Awaited<ReturnType<typeof grantMove>>['beginner'];

/** Carries the granted action out on this cloud, with the services that it needs. */
const carryOutOn = (cloud: CloudDriver, beginner: Beginner, limits: object = startLimits) => {
  const services = {
    db: database.db,
    cloud,
    workflowCalls: { wakeSession: () => Promise.resolve() },
    drafts,
    limits,
    logger: pino({ level: 'silent' }),
    measures: noMeasures,
  };
  const { claimId, sessionId, hostname, runId } = beginner;
  const carryOut = () => carryOutGranted(services as unknown as Services, { claimId, sessionId, hostname });
  return runAs({ workflowId: 'host', runId }, carryOut);
};

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
  expect(await carryOutOn(cloud, beginner, { moveSeconds })).toBe('over');
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
  const carryOut = (changes: Partial<CloudDriver>) => carryOutOn({ ...cloud, ...changes }, beginner);
  await expect(carryOut({})).rejects.toThrow('killed');
  await change(limit.changed);
  await db.claim.updateMany({ data: { startedAt: new Date(Date.now() - 30_000) } });
  const running = () => Promise.resolve({ kind: 'running' } as const);
  const done = () => Promise.resolve({ kind: 'done', host: 'b' } as const);
  expect(await carryOut({ startMove: running, observeMove: done })).toBe(limit.expected);
});

it.each<{ situation: string; phase: string; abort: MoveStatus; outcome: string }>([
  {
    situation: 'is given up when its host goes back to use',
    phase: 'releasing',
    abort: { kind: 'failed', reason: 'given up' },
    outcome: 'dropped',
  },
  {
    situation: 'is watched to its end where the cloud has just accepted it',
    phase: 'releasing',
    abort: { kind: 'running' },
    outcome: 'gone',
  },
  {
    situation: 'is tried again while its host is drained',
    phase: 'emptying',
    abort: { kind: 'failed', reason: 'given up' },
    outcome: 'gone',
  },
])('a move that the cloud refuses for now $situation', async ({ phase, abort, outcome }) => {
  const { db } = database;
  const instance = anInstanceOn('a');
  const { beginner } = await grantMove(db, instance, { action: 'MIGRATE', startedAt: new Date() });
  await db.sessionHost.updateMany({ where: { hostname: 'a' }, data: { phase } });
  const refused = { kind: 'running', isQueued: true, isRefusedForNow: true } as const;
  const cloud = aCloudWith(
    db,
    { instance },
    {
      startMove: () => Promise.resolve(refused),
      observeMove: () => Promise.resolve({ kind: 'gone' }),
      abortMove: () => Promise.resolve(abort),
    },
  );
  expect(await carryOutOn(cloud, beginner, { moveSeconds })).toBe('over');
  expect((await db.claim.findUniqueOrThrow({ where: { id: beginner.claimId } })).outcome).toBe(outcome);
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
  expect(await carryOutOn(cloud, beginner)).toBe(expected);
});

it.each([
  {
    situation: 'leaves it to its project where the cloud says that it cannot move',
    said: { departure: movesUnless('Nova said: never', undefined) },
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
  expect(await carryOutOn(cloud, beginner)).toBe('over');
  expect(await db.claim.findUniqueOrThrow({ where: { id: claim.id } })).toMatchObject({ ...end, forcedAt: null });
});
