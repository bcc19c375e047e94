/** IDs that are stored in one form are the same in every form. */
import { Client } from 'pg';
import { createSimulatedCloud } from '../../../clouds/simulated/simulated-cloud';
import { findGroupConstraints, findInstanceConstraints } from '../../../prisma/constraints/constraints';
import { writeConstraints } from '../../../prisma/constraints/write-constraints';
import { databaseNow, inTransaction } from '../../../prisma/database';
import { recordSeenInstances } from '../../../prisma/hosts/session-instances';
import { findActiveClaims, insertClaims, type NewClaim } from '../../../prisma/moves/claims';
import { findClaimsBefore } from '../../../prisma/moves/claims-before';
import { findReservations, storeReservations } from '../../../prisma/moves/reservations';
import { findProjectInstanceIds } from '../../../prisma/questions/project-instances';
import { findQuestions } from '../../../prisma/questions/question-rounds';
import { idOf, keyOf } from '../../../rules/cloud/id';
import { keyBeside } from '../../../rules/constraints/work-out-limits';
import { idFormNames, idForms } from '../../builders/id-forms';
import { recordReply } from '../rig/record-reply';
import { createTestDatabase, type TestDatabase } from '../setup/test-database';

const sessionId = 'aaaaaaaa-0000-4000-8000-000000000001';
const instanceId = 'bbbbbbbb-0000-4000-8000-000000000002';
const projectId = 'cccccccc-0000-4000-8000-000000000003';
const groupId = 'dddddddd-0000-4000-8000-000000000004';
const claimId = 'eeeeeeee-0000-4000-8000-000000000005';
const questionId = 'ffffffff-0000-4000-8000-000000000006';

const rows = `
  INSERT INTO session (id, workflow, initial_state, state, prev_state, maintenance_at, metadata, actions)
    VALUES ('${sessionId}', 'vnf', 'MAINTENANCE', 'PLANNED_MAINTENANCE', 'MAINTENANCE', now(), '{}', '[]');
  INSERT INTO session_instance (id, session_id, instance_id, instance_name, project_id, host, state)
    VALUES (gen_random_uuid(), '${sessionId}', '${instanceId}', 'web-1', '${projectId}', 'a', 'ACTIVE');
  INSERT INTO question (id, session_id, project_id, state, instance_ids, allowed_actions, window_seconds, message_id)
    VALUES ('${questionId}', '${sessionId}', '${projectId}', 'PLANNED_MAINTENANCE', '["${instanceId}"]', '["MIGRATE"]',
            60, gen_random_uuid());
  INSERT INTO claim (id, session_id, instance_id, instance_name, project_id, group_key, source, target, action, amounts,
                     phase, recovery_time, further_limit_keys)
    VALUES ('${claimId}', '${sessionId}', '${instanceId}', 'web-1', '${projectId}', '${keyOf(groupId)}', 'a', 'b', 'MIGRATE',
            '{"VCPU": 1, "MEMORY_MB": 1024}', 'moving', 0, '{${keyBeside(groupId)}}');
  INSERT INTO reservation (instance_id, session_id, target) VALUES ('${instanceId}', '${sessionId}', 'b');
  INSERT INTO instance_constraint (instance_id, project_id, group_id, instance_name, max_interruption_time,
                                   migration_type, resource_mitigation, lead_time)
    VALUES ('${instanceId}', '${projectId}', '${groupId}', 'web-1', 60, 'MIGRATE', false, 10);
  INSERT INTO group_constraint (group_id, project_id, group_name, anti_affinity_group, max_instances_per_host,
                                max_impacted_members, recovery_time, resource_mitigation)
    VALUES ('${groupId}', '${projectId}', 'web', false, 0, 1, 0, false);
  INSERT INTO event (session_id, seq, event_type, message_id, project_id, payload, position)
    VALUES ('${sessionId}', 1, 'maintenance.planned', gen_random_uuid(), '${projectId}', '{}', 1);
  INSERT INTO sim_instance (instance_id, instance_name, project_id, group_id, flavor, host, vcpus, memory_mb)
    VALUES ('${instanceId}', 'web-1', '${projectId}', '${groupId}', 'm1-Small', 'a', 1, 1024);
  INSERT INTO sim_group (group_id, anti_affinity, max_instances_per_host) VALUES ('${groupId}', true, 2);
  INSERT INTO sim_move (id, claim_id, instance_id, action, source, target, started_at, ends_at)
    VALUES (gen_random_uuid(), '${claimId}', '${instanceId}', 'MIGRATE', 'a', 'b', now(), 'infinity');
  INSERT INTO openstack_move (id, claim_id, instance_id, instance_name, action, source, status, nova_time)
    VALUES (gen_random_uuid(), '${claimId}', '${instanceId}', 'web-1', 'MIGRATE', 'a', 'running', now());`;

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(rows);
  await client.end();
});
afterAll(() => database.drop());

describe.each(idFormNames)('what is stored is known by the ID %s', (form) => {
  const inForm = idForms[form];
  const target = { sessionId, projectId: idOf(inForm(projectId)) };

  it('as constraints', async () => {
    const { db } = database;
    expect(await findInstanceConstraints(db, idOf(inForm(instanceId)))).toMatchObject({
      instanceId,
      projectId,
      groupId,
    });
    const group = await findGroupConstraints(db, idOf(inForm(groupId)));
    expect(group).toMatchObject({ group: { groupId, projectId }, instanceIds: [instanceId] });
  });

  it('as the question of a project, its list and the reply to it', async () => {
    const { db } = database;
    expect((await findProjectInstanceIds(db, [target])).get(target)).toEqual([instanceId]);
    expect(await findQuestions(db, { sessionId, projectKey: target.projectId.key })).toMatchObject([{ projectId }]);
    const reply = { state: 'SCALE_IN', answer: 'ACK', instanceActions: { [inForm(instanceId)]: 'MIGRATE' } } as const;
    expect(await recordReply(db, { target, reply })).toMatchObject({ kind: 'refuse', code: 'NEVER_ASKED' });
  });

  it('as claims, of which an instance has one', async () => {
    const { db } = database;
    const [claim] = await findActiveClaims(db, { sessionId });
    expect(claim).toMatchObject({
      instanceId,
      projectId,
      groupKey: keyOf(groupId),
      furtherLimitKeys: [keyBeside(groupId)],
    });
    const again: NewClaim = {
      ...{ id: questionId, sessionId, instanceId: inForm(instanceId), instanceName: 'web-1', projectId, source: 'a' },
      ...{
        groupKey: keyOf(groupId),
        target: 'c',
        action: 'MIGRATE',
        amounts: { VCPU: 1, MEMORY_MB: 1024 },
        recoveryTime: 0,
      },
      ...{ constraintsAt: null, furtherLimitKeys: [], phase: 'asked' },
    };
    await expect(insertClaims(db, [again], new Date())).rejects.toThrow('unique constraint');
    const [before] = await findClaimsBefore(db, {
      claim: { id: questionId, askedAt: null, createdAt: new Date(Date.now() + 60_000), target: 'c' },
      limitKeys: [keyOf(inForm(groupId))],
      landedSince: new Date(),
    });
    expect(before).toMatchObject({ instanceId, isOpen: true, limitKeys: [keyOf(groupId), keyBeside(groupId)] });
  });

  it('as a reservation, of which an instance has one', async () => {
    const { db } = database;
    await storeReservations(db, sessionId, [{ instanceId: inForm(instanceId), target: 'b' }]);
    expect(await findReservations(db)).toEqual([{ sessionId, instanceId: inForm(instanceId), target: 'b' }]);
  });

  it('as an instance of the simulated cloud', async () => {
    const cloud = createSimulatedCloud({ db: database.db, speed: 1 });
    expect(await cloud.findInstance(inForm(instanceId))).toMatchObject({ instanceId, projectId });
  });
});

it('is read where the cloud keeps groups', async () => {
  const cloud = createSimulatedCloud({ db: database.db, speed: 1 });
  const group = { groupId, projectId, antiAffinity: true, maxInstancesPerHost: 2, instanceIds: [instanceId] };
  expect(await cloud.listGroups()).toEqual([group]);
});

it('is replaced by constraints in another form, and read back in that', async () => {
  const { db } = database;
  const written = { instanceId: keyOf(instanceId), projectId: keyOf(projectId), groupId: keyOf(groupId) };
  const rest = { instanceName: 'web-1', maxInterruptionTime: 60, migrationType: 'MIGRATE', resourceMitigation: false };
  const constraints = { ...written, ...rest, leadTime: 20 };
  const writer = { kind: 'project', projectId: idOf(projectId) } as const;
  const write = { kind: 'instance', constraints, writer, isOwnGroup: false } as const;
  expect(await writeConstraints(db, [write])).toEqual([{ kind: 'written' }]);
  expect(await findInstanceConstraints(db, idOf(instanceId))).toMatchObject({ ...written, leadTime: 20 });
});

it('goes out as the cloud writes it once the cloud has listed it', async () => {
  const { db } = database;
  const listed = [
    {
      instanceId: instanceId.toUpperCase(),
      instanceName: 'web-1',
      projectId: keyOf(projectId),
      host: 'b',
      state: 'ACTIVE',
    },
  ];
  const reply = { state: 'PLANNED_MAINTENANCE', answer: 'ACK', instanceActions: { [instanceId]: 'MIGRATE' } } as const;
  const target = { sessionId, projectId: idOf(projectId) };
  await db.$executeRaw`UPDATE question SET status = 'open', reply_at = now() WHERE id = ${questionId}::uuid`;
  expect(await recordReply(db, { target, reply })).toMatchObject({ kind: 'taken' });
  const takenAt = await databaseNow(db);
  const scope = { sessionId, takenAt, hostnames: new Set(['a', 'b']), unknownHosts: new Set<string>() };
  await inTransaction(db, (tx) => recordSeenInstances(tx, scope, listed));
  const own = { instanceId: instanceId.toUpperCase(), projectId: keyOf(projectId) };
  expect(await db.sessionInstance.findMany()).toMatchObject([{ ...own, host: 'b' }]);
  expect(await findActiveClaims(db, { sessionId })).toMatchObject([own]);
  const [question] = await findQuestions(db, { sessionId });
  expect(question).toMatchObject({ projectId: own.projectId, instanceIds: [own.instanceId] });
  expect(question!.instanceActions).toEqual({ [own.instanceId]: 'MIGRATE' });
});
