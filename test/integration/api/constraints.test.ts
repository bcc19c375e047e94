import { keyOf } from '../../../rules/cloud/id';
import { idFormNames, idForms } from '../../builders/id-forms';
import {
  apiOn,
  aSessionRequest,
  group,
  groupConstraints,
  instanceConstraints,
  nobody,
  otherGroup,
  otherProject,
  ownInstance,
  ownProject,
  strayInstance,
  tokenIdentity,
  useDatabase,
} from './api-under-test';

const { db } = useDatabase();
const instanceUrl = `/v1/instance/${ownInstance}`;
const groupUrl = `/v1/instance_group/${group}`;

/** Records that a project may have stored under the ID of another project's group. */
const taken = {
  ...{ groupId: otherGroup, projectId: ownProject, groupName: 'taken', antiAffinityGroup: false },
  ...{ maxInstancesPerHost: 0, maxImpactedMembers: 1, recoveryTime: 3600, resourceMitigation: false },
};
const takenMember = {
  ...{ instanceId: ownInstance, projectId: ownProject, groupId: otherGroup, instanceName: 'vm' },
  ...{ maxInterruptionTime: 1, migrationType: 'MIGRATE', resourceMitigation: false, leadTime: 1 },
};

describe('constraints of an instance', () => {
  it('come back as they were stored, updates included', async () => {
    const { http } = apiOn(db());
    const reply = await http.put(`${instanceUrl}/`).send(instanceConstraints()).expect(200);
    expect(reply.text).toBe('');
    await http
      .put(instanceUrl)
      .send(instanceConstraints({ lead_time: 0 }))
      .expect(200);
    await http.get(instanceUrl).expect(200, instanceConstraints({ lead_time: 0 }));
  });

  it.each([
    { sent: 'LIVE_MIGRATION', stored: 'LIVE_MIGRATE' },
    { sent: 'MIGRATION', stored: 'MIGRATE' },
    { sent: 'OWN_ACTION', stored: 'OWN_ACTION' },
  ])('have $sent stored as $stored', async ({ sent, stored }) => {
    const { http } = apiOn(db());
    await http
      .put(instanceUrl)
      .send(instanceConstraints({ migration_type: sent }))
      .expect(200);
    const reply = await http.get(instanceUrl);
    expect(reply.body).toMatchObject({ migration_type: stored });
  });

  it.each(idFormNames)(
    'have their IDs read back as they were stored, whichever the path has: the ID %s',
    async (form) => {
      const { http } = apiOn(db());
      const otherForm = idForms[form];
      const url = `/v1/instance/${otherForm(ownInstance)}`;
      const stored = instanceConstraints({ project_id: otherForm(ownProject), group_id: otherForm(group) });
      await http.put(url).send(stored).expect(200);
      await http.get(instanceUrl).expect(200, stored);
      const rewritten = { ...stored, instance_id: otherForm(ownInstance) };
      await http.put(instanceUrl).send(rewritten).expect(200);
      await http.get(url).expect(200, rewritten);
      await http.delete(url).expect(200);
      await http.get(instanceUrl).expect(404);
    },
  );

  it.each([
    { situation: "another instance's ID", fields: { instance_id: nobody }, pointer: '/instance_id' },
    {
      situation: 'EVICTION where the cloud does not evict',
      fields: { migration_type: 'EVICTION' },
      pointer: '/migration_type',
    },
    { situation: 'an unknown migration type', fields: { migration_type: 'TELEPORT' }, pointer: '/migration_type' },
    { situation: 'a negative time', fields: { lead_time: -1 }, pointer: '/lead_time' },
    { situation: 'a number beyond reason', fields: { lead_time: 1e12 }, pointer: '/lead_time' },
    { situation: 'an unknown field', fields: { colour: 'red' }, pointer: '/colour' },
    { situation: 'a missing field', fields: { group_id: undefined }, pointer: '/group_id' },
    { situation: "the cloud's group of another project", fields: { group_id: otherGroup }, pointer: '/group_id' },
    {
      situation: 'a project that does not own the instance',
      fields: { project_id: otherProject },
      pointer: '/project_id',
    },
  ])('are refused with $situation', async ({ fields, pointer }) => {
    const reply = await apiOn(db()).http.put(instanceUrl).send(instanceConstraints(fields)).expect(422);
    expect(reply.body).toMatchObject({ errors: [expect.objectContaining({ pointer })] });
    expect(await db().instanceConstraint.count()).toBe(0);
  });

  it('are refused where their group is stored for another project', async () => {
    const { http } = apiOn(db());
    await http
      .put(groupUrl)
      .send(groupConstraints({ project_id: otherProject }))
      .expect(200);
    const reply = await http.put(instanceUrl).send(instanceConstraints()).expect(422);
    expect(reply.body).toMatchObject({ errors: [expect.objectContaining({ pointer: '/group_id' })] });
  });

  it('are 404 where none are stored, and deleting them is fine all the same', async () => {
    const { http } = apiOn(db());
    await http.get(instanceUrl).expect(404);
    await http.delete(instanceUrl).type('json').expect(200);
    await http.put(instanceUrl).send(instanceConstraints()).expect(200);
    await http.delete(instanceUrl).expect(200);
    await http.get(instanceUrl).expect(404);
  });
});

describe('constraints of a group', () => {
  it('come back with the stored instances, whichever was written first', async () => {
    const { http } = apiOn(db());
    await http.put(instanceUrl).send(instanceConstraints()).expect(200);
    await http.put(groupUrl).send(groupConstraints()).expect(200);
    const stray = instanceConstraints({ instance_id: strayInstance });
    await http.put(`/v1/instance/${strayInstance}`).send(stray).expect(200);
    await http.get(groupUrl).expect(200, { ...groupConstraints(), instance_ids: [ownInstance, strayInstance] });
  });

  it.each(idFormNames)(
    'have their IDs read back as they were stored, with those of members: the ID %s',
    async (form) => {
      const { http } = apiOn(db());
      const otherForm = idForms[form];
      const url = `/v1/instance_group/${otherForm(group)}`;
      const stored = groupConstraints({ project_id: otherForm(ownProject) });
      await http
        .put(instanceUrl)
        .send(instanceConstraints({ group_id: otherForm(group) }))
        .expect(200);
      await http.put(url).send(stored).expect(200);
      await http.get(url).expect(200, { ...stored, instance_ids: [ownInstance] });
      await http
        .put(groupUrl)
        .send({ ...stored, group_id: otherForm(group) })
        .expect(200);
      await http.get(groupUrl).expect(200, { ...stored, group_id: otherForm(group), instance_ids: [ownInstance] });
      expect(await db().groupConstraint.count()).toBe(1);
    },
  );

  it.each([
    { situation: 'the text that a YAML comma leaves', fields: { recovery_time: '60,' }, pointer: '/recovery_time' },
    { situation: 'no impacted member', fields: { max_impacted_members: 0 }, pointer: '/max_impacted_members' },
    {
      situation: 'no instance per host with anti-affinity',
      fields: { anti_affinity_group: true },
      pointer: '/max_instances_per_host',
    },
    { situation: "another group's ID", fields: { group_id: nobody }, pointer: '/group_id' },
    { situation: 'members, which are not written', fields: { instance_ids: [] }, pointer: '/instance_ids' },
  ])('are refused with $situation', async ({ fields, pointer }) => {
    const reply = await apiOn(db()).http.put(groupUrl).send(groupConstraints(fields)).expect(422);
    expect(reply.body).toMatchObject({ errors: [expect.objectContaining({ pointer })] });
    expect(await db().groupConstraint.count()).toBe(0);
  });

  it.each([
    { first: 'the instance', urls: [instanceUrl, groupUrl] },
    { first: 'the group', urls: [groupUrl, instanceUrl] },
  ])("stay the first project's where it stored $first: another's instance may not name the group", async ({ urls }) => {
    const { http } = apiOn(db());
    const bodies: Readonly<Record<string, object>> = {
      [instanceUrl]: instanceConstraints(),
      [groupUrl]: groupConstraints(),
    };
    await http.put(urls[0]!).send(bodies[urls[0]!]).expect(200);
    const stray = instanceConstraints({ instance_id: strayInstance, project_id: otherProject });
    const refused = await http.put(`/v1/instance/${strayInstance}`).send(stray).expect(422);
    expect(refused.body).toMatchObject({ errors: [expect.objectContaining({ pointer: '/group_id' })] });
    await http.put(urls[1]!).send(bodies[urls[1]!]).expect(200);
    await http.get(groupUrl).expect(200, { ...groupConstraints(), instance_ids: [ownInstance] });
  });

  describe("of a group that the cloud has as another project's, stored before the cloud told", () => {
    const url = `/v1/instance_group/${otherGroup}`;
    const stray = { instance_id: strayInstance, project_id: otherProject, group_id: otherGroup };
    const rights = groupConstraints({ project_id: otherProject, group_id: otherGroup });

    beforeEach(async () => {
      await db().groupConstraint.create({ data: taken });
      await db().instanceConstraint.create({ data: takenMember });
    });

    it('are replaced by those of the project that it belongs to, without the members of others', async () => {
      const { http } = apiOn(db(), { identity: tokenIdentity() });
      await http.put(url).set('X-Auth-Token', 'own').send(rights).expect(403);
      await http.put(url).set('X-Auth-Token', 'other').send(rights).expect(200);
      await http
        .get(url)
        .set('X-Auth-Token', 'other')
        .expect(200, { ...rights, instance_ids: [] });
    });

    it('go when an instance of that project names it, or the project deletes them', async () => {
      const { http } = apiOn(db(), { identity: tokenIdentity() });
      const other = (request: ReturnType<typeof http.put>) => request.set('X-Auth-Token', 'other');
      await other(http.put(`/v1/instance/${strayInstance}`))
        .send(instanceConstraints(stray))
        .expect(200);
      expect(await db().groupConstraint.count()).toBe(0);
      await db().groupConstraint.create({ data: taken });
      await other(http.delete(url)).expect(200);
      expect(await db().groupConstraint.count()).toBe(0);
    });
  });

  it('are refused where stored instances of another project name the group', async () => {
    const { http } = apiOn(db());
    await http.put(instanceUrl).send(instanceConstraints()).expect(200);
    await http
      .put(groupUrl)
      .send(groupConstraints({ project_id: otherProject }))
      .expect(422);
  });

  it('are 422 where none are stored, and deleting them leaves the instances', async () => {
    const { http } = apiOn(db());
    await http.get(groupUrl).expect(422);
    await http.delete(groupUrl).expect(200);
    await http.put(groupUrl).send(groupConstraints()).expect(200);
    await http.put(instanceUrl).send(instanceConstraints()).expect(200);
    await http.delete(groupUrl).expect(200);
    await http.get(groupUrl).expect(422);
    await http.get(instanceUrl).expect(200);
  });
});

describe('a change of constraints', () => {
  /** Sessions with an instance of these projects each; returns their IDs. */
  const sessionsWithInstancesOf = async (projects: readonly string[]): Promise<string[]> => {
    const { http } = apiOn(db(), { computes: projects.length });
    const ids: string[] = [];
    for (const [index, projectId] of projects.entries()) {
      const reply = await http.post('/v1/maintenance').send(aSessionRequest({ hosts: [`compute-${index + 1}`] }));
      const { session_id: sessionId } = reply.body as { session_id: string };
      const instance = { instanceId: nobody, instanceName: 'vm', host: `compute-${index + 1}`, state: 'ACTIVE' };
      await db().sessionInstance.create({ data: { ...instance, sessionId, projectId } });
      ids.push(sessionId);
    }
    return ids;
  };

  it('wakes the sessions that have instances of its project, unless they are done or failed', async () => {
    const inAnyForm = ownProject.replaceAll('-', '');
    const ids = await sessionsWithInstancesOf([inAnyForm, ownProject, ownProject, otherProject]);
    await db().session.update({ where: { id: ids[1]! }, data: { state: 'MAINTENANCE_FAILED' } });
    await db().session.update({ where: { id: ids[2]! }, data: { state: 'MAINTENANCE_DONE' } });
    const { http, workflowCalls } = apiOn(db(), { identity: tokenIdentity() });
    const own = (request: ReturnType<typeof http.put>) => request.set('X-Auth-Token', 'own');
    await own(http.put(instanceUrl)).send(instanceConstraints()).expect(200);
    await own(http.put(groupUrl)).send(groupConstraints()).expect(200);
    await own(http.delete(instanceUrl)).expect(200);
    await own(http.delete(groupUrl)).expect(200);
    expect(workflowCalls.calls).toEqual(Array.from({ length: 4 }, () => `wakeSession ${ids[0]!}`));
  });

  it('wakes all of them where an admin deletes what the cloud does not know', async () => {
    const ids = await sessionsWithInstancesOf([ownProject, otherProject]);
    const { http, workflowCalls } = apiOn(db());
    await http.delete(groupUrl).expect(200);
    expect(workflowCalls.calls.toSorted()).toEqual(ids.map((id) => `wakeSession ${id}`).toSorted());
  });

  it('is none where the same is stored again', async () => {
    const { http } = apiOn(db());
    const changedAt = async () => [
      (await db().groupConstraint.findUniqueOrThrow({ where: { groupKey: keyOf(group) } })).updatedAt,
      (await db().instanceConstraint.findUniqueOrThrow({ where: { instanceKey: keyOf(ownInstance) } })).updatedAt,
    ];
    const store = async (seconds: number) => {
      await http
        .put(groupUrl)
        .send(groupConstraints({ recovery_time: seconds }))
        .expect(200);
      await http
        .put(instanceUrl)
        .send(instanceConstraints({ lead_time: seconds }))
        .expect(200);
    };
    await store(10);
    await store(10);
    expect(await changedAt()).toEqual([null, null]);
    await store(20);
    expect(await changedAt()).toEqual([expect.any(Date), expect.any(Date)]);
  });

  it('may come many at once, to the same records', async () => {
    const { http } = apiOn(db());
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0
          ? http.put(instanceUrl).send(instanceConstraints({ lead_time: index }))
          : http.put(groupUrl).send(groupConstraints({ recovery_time: index })),
      ),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  });
});
