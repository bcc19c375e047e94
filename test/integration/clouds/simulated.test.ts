import { randomUUID } from 'node:crypto';
import type { CloudDriver, MoveRequest } from '../../../clouds/cloud-driver';
import { addInstance, failNextMoves, moveInstance, removeInstance, repair } from '../../../clouds/simulated/edit-fleet';
import { parseFleet } from '../../../clouds/simulated/fleet-file';
import { loadFleet } from '../../../clouds/simulated/load-fleet';
import { createSimulatedCloud } from '../../../clouds/simulated/simulated-cloud';
import type { Database } from '../../../prisma/database';
import { keyOf } from '../../../rules/cloud/id';
import { aFleetFile, aFleetHost, aFleetInstance, aServerGroup, uuidNumber } from '../../builders/a-fleet-file';
import { createTestDatabase } from '../setup/test-database';
import { describeCloudContract } from './contract';
import { makeSimulatedRig } from './simulated-rig';

describeCloudContract(
  { name: 'simulated', actions: ['LIVE_MIGRATE', 'MIGRATE', 'OWN_ACTION', 'EVICTION'], pollMs: 5 },
  makeSimulatedRig,
);

describe('the simulated cloud', () => {
  const webId = uuidNumber(1);
  const dbId = uuidNumber(2);
  let db: Database;
  let drop: () => Promise<void>;
  /** Time as good as stands still: a move is over when the test says so. */
  let cloud: CloudDriver;

  beforeAll(async () => {
    ({ db, drop } = await createTestDatabase());
    cloud = createSimulatedCloud({ db, speed: 0.5 });
  });
  afterAll(() => drop());
  beforeEach(async () => {
    await db.simMove.deleteMany();
    const instances = [
      aFleetInstance({ vcpus: 10, move_s: 600 }),
      aFleetInstance({ instance_id: dbId, instance_name: 'db', host: 'compute-2', vcpus: 10, move_s: 600 }),
    ];
    const hosts = [1, 2, 3].map((number) => aFleetHost({ name: `compute-${number}`, maintenance_s: 60 }));
    hosts.push(aFleetHost({ name: 'controller', type: 'controller' }));
    await loadFleet(db, parseFleet(aFleetFile({ hosts, instances })), { storeConstraints: false });
  });

  const aMove = (given: Partial<MoveRequest> = {}): MoveRequest => ({
    claimId: randomUUID(),
    instanceId: webId,
    action: 'LIVE_MIGRATE',
    source: 'compute-1',
    target: 'compute-3',
    ...given,
  });
  /** The time of all running moves is over. */
  const letTimePass = async (): Promise<void> => {
    await db.$executeRaw`
      UPDATE sim_move SET ends_at = clock_timestamp() - interval '1 second', started_at = clock_timestamp() - interval '1 hour'
      WHERE status = 'running'`;
  };
  const loggedMove = (move: MoveRequest, forced = false) =>
    db.simMove.findUniqueOrThrow({ where: { claimId_forced: { claimId: move.claimId, forced } } });
  const lengthMs = ({ startedAt, endsAt }: { startedAt: Date; endsAt: Date }): number =>
    endsAt.getTime() - startedAt.getTime();

  it('moves in move_s simulated seconds', async () => {
    const move = aMove();
    await cloud.startMove(move);
    expect(lengthMs(await loggedMove(move))).toBe(1_200_000);
  });

  it('moves no member of a group with affinity as long as it has another one, and says so beforehand', async () => {
    const instances = [aFleetInstance(), aFleetInstance({ instance_id: dbId, instance_name: 'db' })];
    const group = aServerGroup({ server_group_name: 'pair', policy: 'affinity', instance_ids: [webId, dbId] });
    const hosts = [1, 2, 3].map((number) => aFleetHost({ name: `compute-${number}` }));
    const fleet = parseFleet(aFleetFile({ hosts, instances, server_groups: [group] }));
    await loadFleet(db, fleet, { storeConstraints: false });
    const why = { departure: { kind: 'byProject', because: expect.stringContaining('server group pair') as string } };
    expect(await cloud.listInstances()).toMatchObject([why, why]);
    expect(await cloud.findInstance(webId)).toMatchObject(why);
    await expect(cloud.startMove(aMove())).rejects.toThrow(/server group pair .* keeps it on one host/);
    await expect(cloud.forceMove(aMove())).rejects.toThrow(/keeps it on one host/);
    expect(await cloud.startMove(aMove({ action: 'OWN_ACTION' }))).toEqual({ kind: 'running' });
    await db.simMove.deleteMany();
    await removeInstance(db, dbId);
    expect(await cloud.findInstance(webId)).toMatchObject({ departure: { kind: 'moves' } });
    expect(await cloud.startMove(aMove())).toEqual({ kind: 'running' });
  });

  describe('an own action of a project that deletes the instance first', () => {
    const own = () => aMove({ action: 'OWN_ACTION', target: '' });

    it('holds no capacity elsewhere, and ends wherever there is capacity then', async () => {
      const move = own();
      expect(await cloud.startMove(move)).toEqual({ kind: 'running' });
      // The other instance goes to host 3, which is full then, and leaves its capacity on host 2.
      expect(await cloud.startMove(aMove({ instanceId: dbId, source: 'compute-2' }))).toEqual({ kind: 'running' });
      await letTimePass();
      expect(await cloud.observeMove(move)).toMatchObject({ kind: 'done', host: 'compute-2' });
      expect(await cloud.findInstance(webId)).toMatchObject({ host: 'compute-2' });
    });

    it('ends without the instance where no enabled host has capacity', async () => {
      const move = own();
      await cloud.startMove(move);
      await cloud.disableHost('compute-3', 'no capacity');
      await letTimePass();
      expect(await cloud.observeMove(move)).toEqual({ kind: 'gone' });
      expect(await cloud.findInstance(webId)).toBeUndefined();
    });
  });

  describe('an own action of a project that makes the replacement first', () => {
    const own = () => aMove({ action: 'OWN_ACTION' });
    const aReplacement = { projectId: uuidNumber(900), vcpus: 10, memoryMb: 4096, moveSeconds: 1 };

    it('takes no capacity, so that the replacement finds it', async () => {
      const move = own();
      await cloud.startMove(move);
      await addInstance(db, { ...aReplacement, host: 'compute-3' });
      await removeInstance(db, webId);
      expect(await cloud.observeMove(move)).toEqual({ kind: 'gone' });
    });

    it('begins when the replacement has the last capacity', async () => {
      await addInstance(db, { ...aReplacement, host: 'compute-3' });
      const move = own();
      expect(await cloud.startMove(move)).toEqual({ kind: 'running' });
      await removeInstance(db, webId);
      expect(await cloud.observeMove(move)).toEqual({ kind: 'gone' });
    });

    it('waits until a host has capacity, and keeps the instance meanwhile', async () => {
      const move = own();
      await cloud.startMove(move);
      const inTheWay = await addInstance(db, { ...aReplacement, host: 'compute-3' });
      await letTimePass();
      expect(await cloud.observeMove(move)).toEqual({ kind: 'running' });
      expect(await cloud.findInstance(webId)).toMatchObject({ host: 'compute-1' });
      await removeInstance(db, inTheWay);
      await letTimePass();
      expect(await cloud.observeMove(move)).toEqual({ kind: 'done', host: 'compute-3' });
    });
  });

  it('fails half-way, once for each failure ordered', async () => {
    await failNextMoves(db, webId, 1);
    const first = aMove();
    await cloud.startMove(first);
    expect(lengthMs(await loggedMove(first))).toBe(600_000);
    await letTimePass();
    expect(await cloud.observeMove(first)).toEqual({
      kind: 'failed',
      reason: 'LIVE_MIGRATE to compute-3 failed: the simulated cloud was told to let it fail',
    });
    const second = aMove();
    await cloud.startMove(second);
    await letTimePass();
    expect(await cloud.observeMove(second)).toEqual({ kind: 'done', host: 'compute-3' });
  });

  it('counts one failure when several look at once', async () => {
    await failNextMoves(db, webId, 5);
    const move = aMove();
    await cloud.startMove(move);
    await letTimePass();
    await Promise.all([1, 2, 3, 4, 5].map(() => cloud.listInstances()));
    expect(await db.simInstance.findUniqueOrThrow({ where: { instanceKey: keyOf(webId) } })).toMatchObject({
      failMoves: 4,
    });
  });

  it('lets a move under way succeed, at its full length, when the instance is repaired', async () => {
    await failNextMoves(db, webId, 1);
    const move = aMove();
    await cloud.startMove(move);
    await repair(db, { name: webId, enable: false });
    expect(lengthMs(await loggedMove(move))).toBe(1_200_000);
    await letTimePass();
    expect(await cloud.observeMove(move)).toEqual({ kind: 'done', host: 'compute-3' });
  });

  it.each([
    { look: 'listInstances', sees: async () => (await cloud.listInstances('compute-3')).map((i) => i.instanceId) },
    { look: 'findInstance', sees: async () => [(await cloud.findInstance(webId))?.instanceId] },
  ])('shows the instance on its target at the first look after the end ($look)', async ({ sees }) => {
    await cloud.startMove(aMove());
    await letTimePass();
    expect(await sees()).toEqual([webId]);
    expect(await cloud.findInstance(webId)).toMatchObject({ host: 'compute-3' });
  });

  it('holds the instance on source and target while it moves', async () => {
    await cloud.startMove(aMove());
    const database = { instanceId: dbId, source: 'compute-2' };
    await expect(cloud.startMove(aMove({ ...database, target: 'compute-3' }))).rejects.toThrow(
      `Cannot move instance db (${dbId}) to host compute-3: no capacity; 10 vcpus and 4096 MB of memory are needed, ` +
        '6 vcpus and 61440 MB of memory are left.',
    );
    await expect(cloud.startMove(aMove({ ...database, target: 'compute-1' }))).rejects.toThrow('no capacity');
    await letTimePass();
    expect(await cloud.startMove(aMove({ ...database, target: 'compute-1' }))).toEqual({ kind: 'running' });
  });

  it('gives a target to one of two instances that both want its last capacity', async () => {
    const moves = [aMove(), aMove({ instanceId: dbId, source: 'compute-2' })];
    const starts = await Promise.allSettled(moves.map((move) => cloud.startMove(move)));
    expect(starts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('moves nothing to a controller that is no compute', async () => {
    await expect(cloud.startMove(aMove({ target: 'controller' }))).rejects.toThrow('it is no compute host');
  });

  it('keeps the live migration going when it cannot be forced', async () => {
    const move = aMove();
    await cloud.startMove(move);
    await cloud.disableHost('compute-3', 'maintenance');
    await expect(cloud.forceMove(move)).rejects.toThrow('it is disabled (maintenance)');
    expect(await cloud.observeMove(move)).toEqual({ kind: 'running' });
    await letTimePass();
    expect(await cloud.observeMove(move)).toEqual({ kind: 'done', host: 'compute-3' });
  });

  it('forces with a cold migration and logs both moves', async () => {
    const move = aMove();
    await cloud.startMove(move);
    await cloud.forceMove(move);
    expect(await loggedMove(move)).toMatchObject({ action: 'LIVE_MIGRATE', status: 'aborted' });
    expect(await loggedMove(move, true)).toMatchObject({ action: 'MIGRATE', status: 'running' });
  });

  it('waits for ever for a project that never acts, until somebody else moves the instance', async () => {
    await db.simInstance.update({ where: { instanceKey: keyOf(webId) }, data: { actsItself: false } });
    const move = aMove({ action: 'OWN_ACTION' });
    await cloud.startMove(move);
    expect((await loggedMove(move)).endsAt.getUTCFullYear()).toBe(9999);
    await moveInstance(db, webId, 'compute-3');
    expect(await cloud.observeMove(move)).toEqual({ kind: 'done', host: 'compute-3' });
  });

  it('starts from where the instance is, not from where the caller believes it to be', async () => {
    await moveInstance(db, webId, 'compute-3');
    const move = aMove({ source: 'compute-1', target: 'compute-1' });
    await cloud.startMove(move);
    expect(await loggedMove(move)).toMatchObject({ source: 'compute-3', target: 'compute-1' });
  });

  it('knows how long maintaining a host takes, in real seconds', async () => {
    expect(await cloud.maintenanceSeconds?.('compute-1')).toBe(120);
    expect(await cloud.maintenanceSeconds?.('no-such-host')).toBeUndefined();
  });
});
