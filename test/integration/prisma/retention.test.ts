/** What the sweeper removes of old records, and what it leaves alone. */
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { createRemovalOfOld } from '../../../activities/upkeep/remove-old';
import { writeConstraints } from '../../../prisma/constraints/write-constraints';
import { inTransaction, takeLock } from '../../../prisma/database';
import type { CloudInstance } from '../../../rules/cloud/cloud-facts';
import {
  aCloudWith,
  anInstanceOn,
  grantMove,
  storeConstraints,
  untilAnybodyWaitsForALock,
} from '../activities/moves/granted-move';
import { aGate } from '../events/a-gate';
import { recordManyEvents, recordQuestion, recordSession } from '../events/recorded-facts';
import { createTestDatabase } from '../setup/test-database';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const limits = { auditDays: 365, eventDays: 2, deletedSessionDays: 2, goneConstraintDays: 2 };
const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000);

const removeOld = (instances: readonly CloudInstance[] = [], listed = instances): Promise<void> => {
  const { db } = database;
  const cloud = aCloudWith(
    db,
    { instance: anInstanceOn('a') },
    {
      listInstances: () => Promise.resolve([...listed]),
      listGroups: () => Promise.resolve([]),
      findInstance: (id) => Promise.resolve(instances.find(({ instanceId }) => instanceId === id)),
    },
  );
  return createRemovalOfOld({ db, cloud, limits, logger: pino({ level: 'silent' }) })();
};

it('keeps the latest hundred learned times of a project and action, also where no session is ever deleted', async () => {
  const projectId = randomUUID();
  const times = Array.from({ length: 130 }, (_, number) => ({
    ...{ claimId: randomUUID(), projectId, action: 'MIGRATE', seconds: number, endedAt: daysAgo(200 - number) },
  }));
  await database.db.moveTime.createMany({ data: times });
  await removeOld();
  expect(await database.db.moveTime.aggregate({ _min: { seconds: true }, _count: true })).toMatchObject({
    ...{ _min: { seconds: 30 }, _count: 100 },
  });
});

describe('events', () => {
  const publishedAt = async (sessionId: string, at: Date) => {
    await database.db.event.updateMany({ where: { sessionId }, data: { publishedAt: at } });
  };

  it('removes those that were published long ago, whatever their session does', async () => {
    const [old, young] = [await recordSession(database.db), await recordSession(database.db)];
    for (const sessionId of [old, young]) await recordManyEvents(database.db, sessionId, 2);
    await publishedAt(old, daysAgo(3));
    await publishedAt(young, daysAgo(1));
    await removeOld();
    expect((await database.db.event.findMany()).map(({ sessionId }) => sessionId)).toEqual([young, young]);
  });

  it('keeps those that are not published, open questions, and those that a webhook has yet to take', async () => {
    const { db } = database;
    const [unpublished, asked] = [await recordSession(db), await recordSession(db)];
    await recordManyEvents(db, unpublished, 1);
    await recordQuestion(db, { sessionId: asked, status: 'open' });
    await recordQuestion(db, { sessionId: asked, status: 'closed' });
    await recordManyEvents(db, asked, 1);
    const { id: eventId, seq } = await db.event.findFirstOrThrow({
      where: { sessionId: asked },
      orderBy: { seq: 'desc' },
    });
    await db.webhookDelivery.create({ data: { webhookId: randomUUID(), eventId, sessionId: asked, seq } });
    await publishedAt(asked, daysAgo(3));
    await removeOld();
    const kept = await db.event.findMany({ orderBy: [{ sessionId: 'asc' }, { seq: 'asc' }] });
    expect(kept.filter(({ sessionId }) => sessionId === asked).map((one) => one.seq)).toEqual([1, 3]);
    expect(kept.filter(({ sessionId }) => sessionId === unpublished)).toHaveLength(1);
  });
});

describe('deleted sessions', () => {
  const moved = async (deletedAt: Date | null, claim: Parameters<typeof grantMove>[2] = {}): Promise<string> => {
    const { db } = database;
    const { beginner } = await grantMove(db, anInstanceOn('a'), { phase: 'closed', ...claim });
    const { sessionId, claimId } = beginner;
    await db.sessionHost.deleteMany({ where: { sessionId } });
    await db.session.update({ where: { id: sessionId }, data: { deletedAt } });
    const move = { claimId, instanceId: 'i', action: 'MIGRATE', source: 'a', target: 'b', startedAt: daysAgo(9) };
    await db.simMove.create({ data: { ...move, endsAt: daysAgo(9), status: 'done' } });
    return sessionId;
  };
  const left = async () => {
    const { db } = database;
    const [sessions, claims, moves] = [db.session.findMany(), db.claim.findMany(), db.simMove.count()];
    return {
      sessions: (await sessions).map(({ id }) => id).toSorted(),
      claims: (await claims).map(({ sessionId }) => sessionId).toSorted(),
      moves: await moves,
    };
  };

  it('forgets them with their claims and moves when they were deleted long ago, and nothing of others', async () => {
    await moved(daysAgo(3));
    const kept = [await moved(daysAgo(1)), await moved(null)].toSorted();
    await removeOld();
    expect(await left()).toEqual({ sessions: kept, claims: kept, moves: 2 });
  });

  it.each([
    { situation: 'a claim is open', claim: { phase: 'moving' } },
    { situation: 'a group has yet to recover', claim: { phase: 'recovering', recoversAt: daysAgo(-1) } },
  ] as const)('keeps all of it while $situation', async ({ claim }) => {
    const kept = [await moved(daysAgo(3), claim)];
    await removeOld();
    expect(await left()).toEqual({ sessions: kept, claims: kept, moves: 1 });
  });

  it.each([
    { status: 'leaving', sessions: 1, evictions: 1 },
    { status: 'gone', sessions: 0, evictions: 0 },
  ])('leaves $sessions session(s) whose eviction is $status', async ({ status, sessions, evictions }) => {
    const sessionId = await moved(daysAgo(3));
    const { db } = database;
    const { id: claimId } = await db.claim.findFirstOrThrow({ where: { sessionId } });
    const pod = { instanceId: 'i', podName: 'p', namespace: 'n', action: 'EVICTION' };
    await db.kubernetesMove.create({ data: { claimId, ...pod, status } });
    await removeOld();
    expect([(await left()).sessions.length, await db.kubernetesMove.count()]).toEqual([sessions, evictions]);
  });

  it('keeps a session that has left a host disabled', async () => {
    const sessionId = await moved(daysAgo(3));
    const host = { hostname: 'a', type: 'compute', isCompute: true, phase: 'set_aside', owned: false };
    await database.db.sessionHost.create({ data: { ...host, sessionId } });
    await removeOld();
    expect((await left()).sessions).toEqual([sessionId]);
  });
});

describe('constraints', () => {
  const storedIds = async (): Promise<string[]> =>
    (await database.db.instanceConstraint.findMany()).map(({ instanceId }) => instanceId);
  const missingFor = (days: number) =>
    database.db.instanceConstraint.updateMany({
      where: { missingSince: { not: null } },
      data: { missingSince: daysAgo(days) },
    });

  it('removes those of instances that the cloud has not known for long', async () => {
    const [known, gone] = [anInstanceOn('a'), anInstanceOn('a')];
    for (const instance of [known, gone]) await storeConstraints(database.db, instance);
    await removeOld([known]);
    expect(await storedIds()).toHaveLength(2);
    await missingFor(3);
    await removeOld([known]);
    expect(await storedIds()).toEqual([known.instanceId]);
  });

  it('gives those of an instance that is made again under its name to the next one', async () => {
    const former = anInstanceOn('a');
    await storeConstraints(database.db, former);
    const next: CloudInstance = { ...former, instanceId: randomUUID(), keepsName: true };
    await removeOld([next]);
    expect(await database.db.instanceConstraint.findMany()).toMatchObject([
      { instanceId: next.instanceId, missingSince: null },
    ]);
  });

  it('counts anew for an instance that is there again, also where lists leave it out', async () => {
    const [back, unlisted] = [anInstanceOn('a'), anInstanceOn('a')];
    for (const instance of [back, unlisted]) await storeConstraints(database.db, instance);
    await removeOld([]);
    await missingFor(3);
    await removeOld([back, unlisted], [back]);
    const rows = await database.db.instanceConstraint.findMany();
    expect(rows.map(({ missingSince }) => missingSince)).toEqual([null, null]);
  });

  const limitsOfGroup = { antiAffinityGroup: false, maxInstancesPerHost: 1, maxImpactedMembers: 1, recoveryTime: 0 };
  const storeGroup = (groupId: string, projectId: string, missingSince: Date | null = null) =>
    database.db.groupConstraint.create({
      data: { ...limitsOfGroup, groupName: 'g', resourceMitigation: false, projectId, groupId, missingSince },
    });

  it('removes groups that neither the cloud nor a stored instance names', async () => {
    const { db } = database;
    const member = anInstanceOn('a');
    const [named, unused] = [randomUUID(), randomUUID()];
    for (const groupId of [named, unused]) await storeGroup(groupId, member.projectId);
    await storeConstraints(db, member, { groupId: named });
    await removeOld([member]);
    await db.groupConstraint.updateMany({ where: { missingSince: { not: null } }, data: { missingSince: daysAgo(3) } });
    await removeOld([member]);
    expect((await db.groupConstraint.findMany()).map(({ groupId }) => groupId)).toEqual([named]);
  });

  it('keeps a group that an instance names whose constraints are stored at this moment', async () => {
    const { db } = database;
    const { instanceId, projectId } = anInstanceOn('a');
    const groupId = randomUUID();
    await storeGroup(groupId, projectId, daysAgo(3));
    const [held, end] = [aGate(), aGate()];
    const holding = inTransaction(db, async (tx) => {
      await takeLock(tx, 'admission');
      held.open();
      await end.passed;
    });
    await held.passed;
    const about = { instanceId, projectId, groupId, instanceName: 'vm' };
    const constraints = { ...about, maxInterruptionTime: 60, migrationType: 'MIGRATE', resourceMitigation: false };
    const write = { kind: 'instance', constraints: { ...constraints, leadTime: 60 } } as const;
    const stored = writeConstraints(db, [{ ...write, writer: { kind: 'admin' }, isOwnGroup: false }]);
    await untilAnybodyWaitsForALock(db);
    const removed = removeOld();
    await untilAnybodyWaitsForALock(db, 2);
    end.open();
    await Promise.all([holding, stored, removed]);
    expect(await db.groupConstraint.count()).toBe(1);
  });
});
