/** Claims that nobody works on, compared with the cloud. */
import { WorkflowNotFoundError } from '@temporalio/client';
import { pino } from 'pino';
import { reconcile, type Reconciling } from '../../../../activities/moves/reconcile';
import type { MoveStatus } from '../../../../clouds/cloud-driver';
import type { ClaimRecord } from '../../../../prisma/moves/claims';
import { findRefusals } from '../../../../prisma/moves/target-refusals';
import { noMeasures } from '../../../../telemetry/metrics/measures';
import { drafts } from '../../events/recorded-facts';
import { createTestDatabase } from '../../setup/test-database';
import { aCloudWith, anInstanceOn, grantMove } from './granted-move';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const recoveryTime = 60;

/** A move that has begun, with this status in its cloud. */
const compare = async (status: MoveStatus, given: Partial<ClaimRecord> = {}) => {
  const { db } = database;
  const instance = anInstanceOn('a');
  const { claim } = await grantMove(db, instance, { startedAt: new Date(), recoveryTime, ...given });
  const there = anInstanceOn('b');
  const cloud = aCloudWith(
    db,
    { instance },
    { observeMove: () => Promise.resolve(status), listInstances: () => Promise.resolve([there]) },
  );
  const noSuchWorkflow = () => Promise.reject(new WorkflowNotFoundError('none', 'host', undefined));
  const client = { workflow: { getHandle: () => ({ describe: noSuchWorkflow }) } };
  // The services that reconciling needs.
  const services = {
    db,
    cloud,
    client,
    drafts,
    logger: pino({ level: 'silent' }),
    measures: noMeasures,
  } as unknown as Reconciling;
  await reconcile(services, claim.sessionId);
  const { outcome, phase } = await db.claim.findUniqueOrThrow({ where: { id: claim.id } });
  return { instance, there, ended: { outcome, phase } };
};

it('notes a target that refused the instance, with what is there and for how long', async () => {
  const refused = { kind: 'refused', reason: 'no valid host', passesInSeconds: 120 } as const;
  const { instance, there } = await compare(refused);
  const [noted, ...more] = await findRefusals(database.db, new Date());
  expect(more).toEqual([]);
  expect(noted).toMatchObject({
    instanceId: instance.instanceId,
    target: 'b',
    reason: refused.reason,
    instancesThere: [there.instanceId],
    hostThere: { enabled: true },
    passesAtMs: (noted?.refusedAtMs ?? 0) + 120_000,
  });
});

describe('the group of an instance', () => {
  const refused = { kind: 'refused', reason: 'no valid host' } as const;
  const done = { kind: 'done', host: 'b' } as const;

  it.each([
    { situation: 'its target refused it, so that nothing was touched', status: refused, given: {} },
    { situation: 'its move was never begun', status: { kind: 'unknown' } as const, given: { startedAt: null } },
  ])('has nothing to recover from where $situation', async ({ status, given }) => {
    const { ended } = await compare(status, given);
    expect(ended.phase).toBe('closed');
  });

  it.each([
    { situation: 'it has moved', status: done, given: {} },
    {
      situation: 'it was asked to get ready before its target refused it',
      status: refused,
      given: { askedAt: new Date() },
    },
    {
      situation: 'its live migration was given up before a target refused it',
      status: refused,
      given: { forcedAt: new Date() },
    },
  ])('recovers where $situation', async ({ status, given }) => {
    const { ended } = await compare(status, given);
    expect(ended.phase).toBe('recovering');
  });
});
