/** Constraints that are stored while something begins or is granted on them: one comes before the other. */
import { randomUUID } from 'node:crypto';
import { WorkflowNotFoundError } from '@temporalio/client';
import { pino } from 'pino';
import { giveBackHost } from '../../../../activities/hosts/maintain-host';
import { type ActionRef, beginAction, beginIfItMay } from '../../../../activities/moves/begin-action';
import { reconcile } from '../../../../activities/moves/reconcile';
import type { Services } from '../../../../activities/services';
import { lockRecords } from '../../../../prisma/constraints/constraint-locks';
import { deleteGroupConstraints, deleteInstanceConstraints } from '../../../../prisma/constraints/constraints';
import { writeConstraints } from '../../../../prisma/constraints/write-constraints';
import { inTransaction, lockSessionAndBeginnings, takeLock, type Transaction } from '../../../../prisma/database';
import type { ClaimRecord } from '../../../../prisma/moves/claims';
import { idOf, keyOf } from '../../../../rules/cloud/id';
import type { HostPhase } from '../../../../rules/decisions/fleet/fleet';
import { noMeasures } from '../../../../telemetry/metrics/measures';
import { drafts } from '../../events/recorded-facts';
import { createTestDatabase } from '../../setup/test-database';
import { runAs } from '../session/recorded-run';
import {
  aCloudWith,
  anInstanceOn,
  type GrantedMove,
  grantMove,
  startLimits,
  untilAnybodyWaitsForALock,
} from './granted-move';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const writer = { kind: 'admin' } as const;
const instance = anInstanceOn('a');
const { instanceId, projectId, instanceName } = instance;
const groupId = randomUUID();

const group = {
  ...{ groupId, projectId, groupName: 'web', antiAffinityGroup: false, maxInstancesPerHost: 0 },
  ...{ maxImpactedMembers: 2, recoveryTime: 10, resourceMitigation: false },
};
const ofInstance = {
  ...{ instanceId, projectId, groupId, instanceName, migrationType: 'MIGRATE', resourceMitigation: false },
  ...{ leadTime: 0, maxInterruptionTime: 60 },
};

const groupWrite = (constraints: typeof group) => ({ kind: 'group', constraints, writer, isOwnGroup: false }) as const;
const instanceWrite = (constraints: typeof ofInstance) =>
  ({ kind: 'instance', constraints, writer, isOwnGroup: false }) as const;

/** Each keeps the action from beginning. */
const changes = {
  'the group is stored': () =>
    writeConstraints(database.db, [groupWrite({ ...group, maxImpactedMembers: 1, recoveryTime: 20 })]),
  'the group is deleted': () => deleteGroupConstraints(database.db, { groupId: idOf(groupId), writer }),
  'the instance is stored': () => writeConstraints(database.db, [instanceWrite({ ...ofInstance, leadTime: 60 })]),
  'the instance is deleted': () => deleteInstanceConstraints(database.db, { instanceId: idOf(instanceId), writer }),
} as const;
const names = Object.keys(changes) as (keyof typeof changes)[];

/** Granted on what is stored, while another member of its group is impacted. */
const grant = async (): Promise<GrantedMove> => {
  const { db } = database;
  await writeConstraints(db, [groupWrite(group), instanceWrite(ofInstance)]);
  const { createdAt } = await db.instanceConstraint.findUniqueOrThrow({ where: { instanceKey: keyOf(instanceId) } });
  await grantMove(db, anInstanceOn('a'), { groupKey: keyOf(groupId), startedAt: new Date(), target: 'c' });
  return grantMove(db, instance, { groupKey: keyOf(groupId), constraintsAt: createdAt, recoveryTime: 10 });
};

const lastStoredAt = async (): Promise<number> => {
  const stored = await database.db.groupConstraint.findUniqueOrThrow({ where: { groupKey: keyOf(groupId) } });
  const { updatedAt } = await database.db.instanceConstraint.findUniqueOrThrow({
    where: { instanceKey: keyOf(instanceId) },
  });
  return Math.max(...[stored.updatedAt, updatedAt].map((at) => at?.getTime() ?? 0));
};

const servicesFor = (moved = instance) => ({
  cloud: aCloudWith(database.db, { instance: moved }),
  db: database.db,
  limits: startLimits,
  logger: pino({ level: 'silent' }),
});

const begin = ({ claim, beginner }: GrantedMove) => beginIfItMay(servicesFor(), claim, beginner);

/**
 * Starts them one by one, each when the one before waits for a lock, the first for what is held. @returns what each
 * returns
 */
const startBehind = async (
  hold: (tx: Transaction) => Promise<void>,
  ...starts: readonly (() => Promise<unknown>)[]
): Promise<readonly unknown[]> => {
  const { db } = database;
  const started: Promise<unknown>[] = [];
  await inTransaction(db, async (tx) => {
    await hold(tx);
    for (const start of starts) {
      started.push(start());
      await untilAnybodyWaitsForALock(db, started.length);
    }
  });
  return Promise.all(started);
};

describe.each(names)('%s', (name) => {
  it('after an action that is beginning, for which it does not count', async () => {
    const granted = await grant();
    const [beginning] = await startBehind(
      (tx) => lockSessionAndBeginnings(tx, granted.beginner.sessionId),
      () => begin(granted),
      changes[name],
    );
    expect(beginning).toMatchObject({ kind: 'began' });
    const { startedAt, recoveryTime } = await database.db.claim.findUniqueOrThrow({ where: { id: granted.claim.id } });
    expect(recoveryTime).toBe(10);
    if (name.endsWith('stored')) expect(await lastStoredAt()).toBeGreaterThanOrEqual(startedAt!.getTime());
  });

  it('before an action that would begin, which keeps to it', async () => {
    const granted = await grant();
    const [kind, id] = name.startsWith('the group')
      ? (['group', groupId] as const)
      : (['instance', instanceId] as const);
    const [, beginning] = await startBehind(
      (tx) => lockRecords(tx, kind, [keyOf(id)]),
      changes[name],
      () => begin(granted),
    );
    expect(beginning).toMatchObject({ kind: kind === 'group' ? 'putOff' : 'outdated' });
  });

  it('after what is being granted', async () => {
    await grant();
    await startBehind((tx) => takeLock(tx, 'admission'), changes[name]);
  });
});

interface Dropping {
  readonly of: Partial<ClaimRecord>;
  readonly host: { readonly phase?: HostPhase };
  readonly drop: (services: Services, ref: ActionRef) => Promise<unknown>;
}

/** Each ends the claim of a member that was asked, without an action. */
const dropping: Readonly<Record<string, Dropping>> = {
  'as it cannot begin any more': { of: {}, host: {}, drop: beginAction },
  'with its host, which is given back': {
    of: { phase: 'asked' },
    host: { phase: 'releasing' },
    drop: giveBackHost,
  },
  'after its host is left by all workflows': {
    of: { phase: 'asked' },
    host: {},
    drop: (services, { sessionId }) => reconcile(services, sessionId),
  },
};

it.each(Object.entries(dropping))(
  'lets an asked member that is dropped %s begin to recover before another one begins, or after it, where the limit was lowered',
  async (_how, { of, host, drop }) => {
    const { db } = database;
    const other = anInstanceOn('a');
    await writeConstraints(db, [
      groupWrite({ ...group, maxImpactedMembers: 1 }),
      instanceWrite(ofInstance),
      instanceWrite({ ...ofInstance, ...namesOf(other) }),
    ]);
    const asked = { groupKey: keyOf(groupId), recoveryTime: 10, action: 'MIGRATE' as const };
    const first = await grantMove(db, instance, { ...asked, askedAt: new Date('2026-01-01T12:00:00Z') });
    const ofSecond = { ...asked, ...of, askedAt: new Date('2026-01-01T12:00:01Z'), target: 'c' };
    const { claimId, runId, ...second } = (await grantMove(db, other, ofSecond)).beginner;
    await db.sessionHost.updateMany({ where: second, data: host });
    const noSuchWorkflow = () => Promise.reject(new WorkflowNotFoundError('none', 'host', undefined));
    const client = { workflow: { getHandle: () => ({ describe: noSuchWorkflow }) } };
    const services = { ...servicesFor(other), drafts, client, measures: noMeasures } as unknown as Services;
    let beginning: Promise<unknown> | undefined;
    let dropped: Promise<unknown> | undefined;
    await inTransaction(db, async (tx) => {
      await lockSessionAndBeginnings(tx, first.beginner.sessionId);
      beginning = begin(first);
      await untilAnybodyWaitsForALock(db);
      dropped = runAs({ workflowId: 'host', runId }, () => drop(services, { ...second, claimId }));
      await Promise.race([dropped, untilAnybodyWaitsForALock(db, 2)]);
    });
    expect(await beginning).toMatchObject({ kind: 'began' });
    await dropped;
    const { startedAt } = await db.claim.findUniqueOrThrow({ where: { id: first.claim.id } });
    const { outcome, endedAt } = await db.claim.findUniqueOrThrow({ where: { id: claimId } });
    expect(outcome).toBe('dropped');
    expect(endedAt!.getTime()).toBeGreaterThanOrEqual(startedAt!.getTime());
  },
);

const namesOf = ({ instanceId: id, projectId: project, instanceName: name }: typeof instance) => ({
  instanceId: id,
  projectId: project,
  instanceName: name,
});

it.each([
  { most: 1, kind: 'putOff' },
  { most: 2, kind: 'began' },
])(
  'a group that the cloud knows without limits holds $most at once by what is stored for it: a second action is $kind',
  async ({ most, kind }) => {
    const { db } = database;
    const other = anInstanceOn('a');
    const instanceIds = [instanceId, other.instanceId];
    const known = { groupId, projectId, antiAffinity: false, maxInstancesPerHost: 1, instanceIds };
    await writeConstraints(db, [groupWrite({ ...group, maxImpactedMembers: most })]);
    await grantMove(db, other, { groupKey: keyOf(groupId), startedAt: new Date(), target: 'c' });
    const { claim, beginner } = await grantMove(db, instance, { groupKey: keyOf(groupId) });
    const lists = { listGroups: () => Promise.resolve([known]), listGroupsLately: () => Promise.resolve([known]) };
    const services = { ...servicesFor(), cloud: aCloudWith(db, { instance }, lists) };
    expect(await beginIfItMay(services, claim, beginner)).toMatchObject({ kind });
  },
);
