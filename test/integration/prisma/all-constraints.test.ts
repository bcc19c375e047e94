/** What decisions know of all constraints: also what was stored, changed and deleted since the process read them. */
import { randomUUID } from 'node:crypto';
import { findAllConstraints } from '../../../prisma/constraints/all-constraints';
import { deleteGroupConstraints, deleteInstanceConstraints } from '../../../prisma/constraints/constraints';
import { passOnConstraints } from '../../../prisma/constraints/pass-on-constraints';
import { type ConstraintsToWrite, writeConstraints } from '../../../prisma/constraints/write-constraints';
import { inTransaction, openDatabase } from '../../../prisma/database';
import { idOf } from '../../../rules/cloud/id';
import { createTestDatabase } from '../setup/test-database';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const writer = { kind: 'admin' } as const;
const projectId = randomUUID();
const [groupId, otherGroupId] = [randomUUID(), randomUUID()];
const [first, second] = [randomUUID(), randomUUID()];

const instance = (instanceId: string, leadTime: number): ConstraintsToWrite => ({
  ...{ kind: 'instance', writer, isOwnGroup: false },
  constraints: {
    ...{ instanceId, projectId, groupId, instanceName: 'vm', migrationType: 'MIGRATE', resourceMitigation: false },
    ...{ leadTime, maxInterruptionTime: 60 },
  },
});
const group = (id: string, maxImpactedMembers: number): ConstraintsToWrite => ({
  ...{ kind: 'group', writer, isOwnGroup: false },
  constraints: {
    ...{ groupId: id, projectId, groupName: 'web', antiAffinityGroup: false, maxInstancesPerHost: 0 },
    ...{ maxImpactedMembers, recoveryTime: 10, resourceMitigation: false },
  },
});

const readBy = async (db: typeof database.db) => {
  const { instances, groups } = await inTransaction(db, findAllConstraints);
  return {
    instances: Object.fromEntries(instances.map(({ instanceId, leadTime }) => [instanceId, leadTime])),
    groups: Object.fromEntries(groups.map((one) => [one.groupId, one.maxImpactedMembers])),
  };
};

it('follows what other processes store, change and delete', async () => {
  const { db } = database;
  const other = openDatabase({ url: database.url });
  try {
    expect(await readBy(db)).toEqual({ instances: {}, groups: {} });
    await writeConstraints(other, [group(groupId, 1), instance(first, 1), instance(second, 2)]);
    expect(await readBy(db)).toEqual({ instances: { [first]: 1, [second]: 2 }, groups: { [groupId]: 1 } });
    await writeConstraints(other, [instance(second, 3), group(groupId, 2), group(otherGroupId, 1)]);
    await deleteInstanceConstraints(other, { instanceId: idOf(first), writer });
    expect(await readBy(db)).toEqual({ instances: { [second]: 3 }, groups: { [groupId]: 2, [otherGroupId]: 1 } });
    await deleteGroupConstraints(other, { groupId: idOf(groupId), writer });
    expect(await readBy(db)).toEqual({ instances: { [second]: 3 }, groups: { [otherGroupId]: 1 } });
  } finally {
    await other.$disconnect();
  }
});

it('those of an instance that is made again under its name go over once, and every process sees it', async () => {
  const { db } = database;
  const other = openDatabase({ url: database.url });
  try {
    await writeConstraints(other, [instance(first, 7)]);
    expect((await readBy(db)).instances).toEqual({ [first]: 7 });
    const listed = [{ instanceId: second, instanceName: 'vm', projectId, keepsName: true }] as const;
    expect(await passOnConstraints(other, listed)).toEqual([{ from: first, to: second }]);
    expect((await readBy(db)).instances).toEqual({ [second]: 7 });
    expect(await passOnConstraints(db, listed)).toEqual([]);
  } finally {
    await other.$disconnect();
  }
});

it('sees what is committed after a transaction that was under way when it read', async () => {
  const { db } = database;
  let commit: () => void = () => undefined;
  const mayCommit = new Promise<void>((resolve) => {
    commit = resolve;
  });
  const stored = new Promise<void>((resolve, reject) => {
    void inTransaction(db, async (tx) => {
      const { constraints } = group(groupId, 1);
      await tx.groupConstraint.create({ data: constraints as never });
      resolve();
      await mayCommit;
    }).catch(reject);
  });
  await stored;
  expect(await readBy(db)).toEqual({ instances: {}, groups: {} });
  await writeConstraints(db, [group(otherGroupId, 1)]);
  expect(await readBy(db)).toEqual({ instances: {}, groups: { [otherGroupId]: 1 } });
  commit();
  let groups = {};
  for (let tries = 0; tries < 50 && Object.keys(groups).length < 2; tries++) ({ groups } = await readBy(db));
  expect(groups).toEqual({ [groupId]: 1, [otherGroupId]: 1 });
});

it('reads only what has changed', async () => {
  const { db } = database;
  await writeConstraints(db, [group(groupId, 1), instance(first, 1), instance(second, 2)]);
  await readBy(db);
  // Behind the back of the triggers: nobody may notice it before all are read again.
  await db.$executeRaw`ALTER TABLE instance_constraint DISABLE TRIGGER USER`;
  await db.instanceConstraint.updateMany({ data: { leadTime: 9 } });
  await db.$executeRaw`ALTER TABLE instance_constraint ENABLE TRIGGER USER`;
  await writeConstraints(db, [instance(second, 3)]);
  expect((await readBy(db)).instances).toEqual({ [first]: 1, [second]: 3 });
});
