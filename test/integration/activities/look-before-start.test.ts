/** The last look before an action begins: what it asks the cloud, and what the cloud's answer may not show yet. */
import { randomUUID } from 'node:crypto';
import { decideStart } from '../../../activities/look-before-start';
import { type CloudDriver, type CloudHost, type CloudInstance, latelyMs } from '../../../clouds/cloud-driver';
import { createSimulatedCloud } from '../../../clouds/simulated/simulated-cloud';
import { type ClaimRecord, findClaim } from '../../../prisma/claims';
import { createTestDatabase } from '../setup/test-database';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const size = { vcpus: 1, memoryMb: 1024 };
const anInstance = (host: string): CloudInstance => {
  const [instanceId, projectId] = [randomUUID(), randomUUID()];
  return { instanceId, projectId, instanceName: 'vm', host, flavor: 'small', state: 'ACTIVE', ...size };
};

/** Of a move from host a to host b. */
const aClaim = async (
  { instanceId, instanceName, projectId }: CloudInstance,
  given: Partial<ClaimRecord> = {},
): Promise<ClaimRecord> => {
  const facts = { instanceId, instanceName, projectId, groupKey: `of ${instanceId}`, ...size };
  const { id } = await database.db.claim.create({
    data: {
      ...facts,
      ...{
        sessionId: randomUUID(),
        source: 'a',
        target: 'b',
        action: 'LIVE_MIGRATE',
        phase: 'moving',
        recoveryTime: 0,
      },
      ...given,
    },
  });
  return (await findClaim(database.db, id))!;
};

const targetFor = (count: number): CloudHost => {
  const room = { vcpus: count * size.vcpus, memoryMb: count * size.memoryMb };
  return { name: 'b', type: 'compute', isCompute: true, enabled: true, isUp: true, ...room };
};

/** With room for `count` on the target, and these on it. */
const aCloud = (
  { instance, count }: { readonly instance: CloudInstance; readonly count: number },
  given: Partial<CloudDriver> = {},
): CloudDriver => ({
  ...createSimulatedCloud({ db: database.db, speed: 1 }),
  findInstance: () => Promise.resolve(instance),
  listHosts: () => Promise.resolve([targetFor(count)]),
  listInstances: () => Promise.resolve([]),
  listInstancesLately: () => Promise.resolve([]),
  ...given,
});

describe('an instance that another claim has brought to the target', () => {
  const now = () => new Date();
  const longAgo = () => new Date(Date.now() - 10 * latelyMs);

  it.each([
    { situation: 'just now, not listed there yet,', endedAt: now, isListed: false, room: 1, expected: 'putOff' },
    { situation: 'just now, not listed there yet,', endedAt: now, isListed: false, room: 2, expected: 'begin' },
    { situation: 'just now, and listed there,', endedAt: now, isListed: true, room: 2, expected: 'begin' },
    { situation: 'long ago, and listed nowhere,', endedAt: longAgo, isListed: false, room: 1, expected: 'begin' },
  ])('$situation counts: with room for $room it is "$expected"', async ({ endedAt, isListed, room, expected }) => {
    const [instance, landed] = [anInstance('a'), anInstance('b')];
    await aClaim(landed, { phase: 'closed', outcome: 'done', endedAt: endedAt() });
    const listing = () => Promise.resolve(isListed ? [landed] : []);
    const cloud = aCloud({ instance, count: room }, { listInstances: listing, listInstancesLately: listing });
    expect((await decideStart({ cloud, db: database.db }, await aClaim(instance))).kind).toBe(expected);
  });
});

it.each([
  { left: 'has left since', there: [], expected: 'begin' },
  { left: 'is still there', there: [anInstance('b')], expected: 'putOff' },
])('puts nothing off for an instance listed lately before it is listed anew: it $left', async ({ there, expected }) => {
  const instance = anInstance('a');
  const cloud = aCloud(
    { instance, count: 1 },
    {
      listInstances: () => Promise.resolve(there),
      listInstancesLately: () => Promise.resolve([anInstance('b')]),
    },
  );
  expect((await decideStart({ cloud, db: database.db }, await aClaim(instance))).kind).toBe(expected);
});

describe('constraints that change while an action is about to begin', () => {
  const [then, since] = [new Date('2026-01-01T12:00:00Z'), new Date('2026-01-01T12:10:00Z')];
  const store = ({ instanceId, projectId }: CloudInstance, updatedAt: Date | null) => {
    const limits = { maxInterruptionTime: 60, migrationType: 'MIGRATE', resourceMitigation: false, leadTime: 60 };
    const names = { instanceId, projectId, groupId: randomUUID(), instanceName: 'vm' };
    return database.db.instanceConstraint.create({ data: { ...names, ...limits, createdAt: then, updatedAt } });
  };

  interface Change {
    readonly what: string;
    readonly constraintsAt: Date | null;
    readonly askedAt?: Date;
    readonly stored?: { readonly updatedAt: Date | null };
    readonly expected: string;
  }
  it.each<Change>([
    { what: 'those that it was granted on', constraintsAt: then, stored: { updatedAt: null }, expected: 'begin' },
    { what: 'none, as when it was granted', constraintsAt: null, expected: 'begin' },
    { what: 'stored anew', constraintsAt: then, stored: { updatedAt: since }, expected: 'outdated' },
    { what: 'stored where none were', constraintsAt: null, stored: { updatedAt: null }, expected: 'outdated' },
    { what: 'deleted', constraintsAt: then, expected: 'outdated' },
    {
      what: 'stored anew, which its project was asked about',
      ...{ constraintsAt: then, askedAt: then, stored: { updatedAt: since }, expected: 'begin' },
    },
  ])('count where nothing was asked: $what, $expected', async ({ constraintsAt, askedAt = null, stored, expected }) => {
    const instance = anInstance('a');
    if (stored) await store(instance, stored.updatedAt);
    const claim = await aClaim(instance, { constraintsAt, askedAt });
    expect((await decideStart({ cloud: aCloud({ instance, count: 1 }), db: database.db }, claim)).kind).toBe(expected);
  });
});

describe('the look', () => {
  /** The names of what is asked of the cloud. */
  const noting = (cloud: CloudDriver, asked: Set<string>): CloudDriver =>
    new Proxy(cloud, {
      get(driver, name, receiver): unknown {
        asked.add(String(name));
        return Reflect.get(driver, name, receiver);
      },
    });

  const askedFor = async (given: Partial<ClaimRecord>, choosesTarget = true): Promise<readonly string[]> => {
    const instance = anInstance('a');
    const asked = new Set<string>();
    const cloud = aCloud({ instance, count: 1 }, { choosesTarget: () => Promise.resolve(choosesTarget) });
    const claim = await aClaim(instance, given);
    expect(await decideStart({ cloud: noting(cloud, asked), db: database.db }, claim)).toEqual({ kind: 'begin' });
    return [...asked].sort();
  };

  it('asks for the target, the groups and the instance', async () => {
    const all = ['choosesTarget', 'findInstance', 'listGroups', 'listHosts', 'listInstancesLately'];
    expect(await askedFor({ action: 'MIGRATE' })).toEqual(all);
  });

  it('asks for no target where the cloud chooses it', async () => {
    expect(await askedFor({ action: 'MIGRATE' }, false)).toEqual(['choosesTarget', 'findInstance', 'listGroups']);
  });

  it('asks for nothing but the instance where its project is at work', async () => {
    expect(await askedFor({ action: 'OWN_ACTION' })).toEqual(['findInstance']);
  });
});
