/** From which places the terms of a question come, and who may speak there. */
import { randomUUID } from 'node:crypto';
import { findAllConstraints } from '../../../prisma/constraints/all-constraints';
import { passOnConstraints } from '../../../prisma/constraints/pass-on-constraints';
import { type ConstraintsToWrite, writeConstraints } from '../../../prisma/constraints/write-constraints';
import { inTransaction } from '../../../prisma/database';
import { findAllTerms, findTermsOf } from '../../../prisma/terms/known-terms';
import { storeProjectTerms } from '../../../prisma/terms/project-terms';
import { idOf, keyOf } from '../../../rules/cloud/id';
import type { Terms } from '../../../rules/cloud/terms';
import { termsOfInstance } from '../../../rules/terms/answer-by-terms';
import { createTestDatabase } from '../setup/test-database';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const writer = { kind: 'admin' } as const;
const [projectId, otherProjectId] = [randomUUID(), randomUUID()];
const [groupId, foreignGroupId] = [randomUUID(), randomUUID()];
const [instanceId, next] = [randomUUID(), randomUUID()];

const instanceWith = (terms: Terms | undefined, inGroup = groupId): ConstraintsToWrite => ({
  ...{ kind: 'instance', writer, isOwnGroup: false },
  constraints: {
    ...{ instanceId, projectId, groupId: inGroup, instanceName: 'vm', migrationType: 'MIGRATE', leadTime: 5 },
    ...{ resourceMitigation: false, maxInterruptionTime: 60, terms },
  },
});
const groupWith = (id: string, owner: string, terms: Terms): ConstraintsToWrite => ({
  ...{ kind: 'group', writer, isOwnGroup: true },
  constraints: {
    ...{ groupId: id, projectId: owner, groupName: 'web', antiAffinityGroup: false, maxInstancesPerHost: 1 },
    ...{ maxImpactedMembers: 1, recoveryTime: 0, resourceMitigation: false, terms },
  },
});

const ofInstance: Terms = { answers: { PLANNED_MAINTENANCE: 'ACK' } };
const ofGroup: Terms = { answers: { PLANNED_MAINTENANCE: { action: 'MIGRATE' }, MAINTENANCE: 'ACK' } };
const ofProject: Terms = { ask: 'never', answers: { SCALE_IN: 'NACK' } };

const found = async (id = instanceId): Promise<Terms> =>
  termsOfInstance(
    { id, projectId },
    await findTermsOf(database.db, {
      projectIds: [projectId.toUpperCase()],
      instanceIds: [id.replaceAll('-', '').toUpperCase()],
    }),
  );

it('come from the instance, its group and its project, whatever the form of their IDs', async () => {
  await writeConstraints(database.db, [groupWith(groupId, projectId, ofGroup)]);
  await writeConstraints(database.db, [instanceWith(ofInstance)]);
  await storeProjectTerms(database.db, idOf(projectId.replaceAll('-', '')), ofProject);
  expect(await found()).toEqual({
    ask: 'never',
    answers: { PLANNED_MAINTENANCE: 'ACK', MAINTENANCE: 'ACK', SCALE_IN: 'NACK' },
  });
  const all = await inTransaction(database.db, async (tx) => findAllTerms(tx, await findAllConstraints(tx)));
  expect(all.projects.get(keyOf(projectId))).toEqual(ofProject);
  expect(all.instances.get(keyOf(instanceId))).toEqual([ofInstance, ofGroup]);
});

it('do not come from a group that belongs to another project', async () => {
  await writeConstraints(database.db, [instanceWith(undefined, foreignGroupId)]);
  await database.db.groupConstraint.create({
    data: groupWith(foreignGroupId, otherProjectId, ofGroup).constraints as never,
  });
  expect(await found()).toEqual({ answers: {} });
});

it('stay with the constraints of an instance that is made again under its name', async () => {
  await writeConstraints(database.db, [instanceWith(ofInstance)]);
  const listed = [{ instanceId: next, instanceName: 'vm', projectId, keepsName: true }] as const;
  expect(await passOnConstraints(database.db, listed)).toEqual([{ from: instanceId, to: next }]);
  expect(await found()).toEqual({ answers: {} });
  expect(await found(next)).toEqual(ofInstance);
});
