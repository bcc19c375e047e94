/** The snapshot that decisions get: a cloud's listing, and what has happened since it was taken. */
import { randomUUID } from 'node:crypto';
import { kubernetesActions } from '../../../clouds/kubernetes/actions';
import { inTransaction } from '../../../prisma/database';
import type { SessionHostRecord } from '../../../prisma/hosts/session-hosts';
import type { CloudHost } from '../../../rules/cloud/cloud-facts';
import { movesElsewhere, whyByProject } from '../../../rules/cloud/departure';
import { limitKeysOf } from '../../../rules/decisions/fleet/limit-keys';
import { simulatedActions } from '../../../rules/simulation/simulated-actions';
import type { CloudSnapshot } from '../../../snapshot/look-at-cloud';
import { type Loading, readFleet, withWork } from '../../../snapshot/read-fleet';
import { aSessionHost } from '../../builders/a-session-host';
import { recordSession } from '../events/recorded-facts';
import { createTestDatabase } from '../setup/test-database';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const listedAt = new Date('2026-01-01T12:00:00Z');
const host = (name: string) =>
  ({
    name,
    type: 'compute',
    isCompute: true,
    amounts: { VCPU: 8, MEMORY_MB: 8192 },
    enabled: true,
    isUp: true,
  }) as const;

/** An instance that is listed on host a, and whose action ended like this. */
const placeAfter = async (outcome: string, endedAt: Date): Promise<string | undefined> => {
  const [instanceId, projectId] = [randomUUID(), randomUUID()];
  const size = { amounts: { VCPU: 1, MEMORY_MB: 1024 } };
  const facts = { instanceId, projectId, ...size, instanceName: 'vm' };
  const listed = { ...facts, host: 'a', flavor: 'small', state: 'ACTIVE', departure: movesElsewhere };
  const hosts = [host('a'), host('b')];
  const snapshot: CloudSnapshot = {
    takenAt: listedAt,
    hosts,
    instances: [listed],
    groups: [],
    choosesTarget: true,
    misfits: [],
    notOffered: [],
    missingRights: [],
    actions: simulatedActions,
  };
  await database.db.claim.create({
    data: {
      ...facts,
      ...{ sessionId: randomUUID(), groupKey: 'group', source: 'a', target: 'b', action: 'OWN_ACTION' },
      ...{ phase: 'closed', recoveryTime: 0, outcome, endedAt },
    },
  });
  const { instances } = await inTransaction(database.db, (tx) =>
    readFleet(tx, snapshot, { now: new Date(), hostStartSeconds: 600, nackRetries: 2, nackRetrySeconds: 10 }),
  );
  return instances.find(({ id }) => id === instanceId)?.host;
};

const [before, after] = [new Date(listedAt.getTime() - 1), new Date(listedAt.getTime() + 1)];

it.each([
  { situation: 'has moved since', outcome: 'done', endedAt: after, expected: 'b' },
  { situation: 'moved before, and came back', outcome: 'done', endedAt: before, expected: 'a' },
  { situation: 'was found gone since', outcome: 'gone', endedAt: after, expected: undefined },
  { situation: 'could not be moved since', outcome: 'failed', endedAt: after, expected: 'a' },
])('puts an instance on $expected that $situation', async ({ outcome, endedAt, expected }) => {
  expect(await placeAfter(outcome, endedAt)).toBe(expected);
});

describe('the claim of an instance that is gone', () => {
  /** @returns the groups that count it */
  const groupsOf = async (storedGroup: string | undefined): Promise<readonly string[]> => {
    const facts = { instanceId: randomUUID(), instanceName: 'vm', projectId: randomUUID() };
    const move = { source: 'a', target: 'b', action: 'OWN_ACTION', phase: 'recovering', recoveryTime: 600 };
    const size = { amounts: { VCPU: 1, MEMORY_MB: 1024 } };
    const recoversAt = new Date(Date.now() + 600_000);
    await database.db.claim.create({
      data: { ...facts, ...move, ...size, recoversAt, sessionId: randomUUID(), groupKey: 'old group' },
    });
    if (storedGroup !== undefined) {
      const limits = { maxInterruptionTime: 1, migrationType: 'OWN_ACTION', resourceMitigation: true, leadTime: 1 };
      const instanceId = facts.instanceId.replaceAll('-', '').toUpperCase(); // as its manager writes it
      await database.db.instanceConstraint.create({ data: { ...facts, ...limits, instanceId, groupId: storedGroup } });
    }
    const cloud = {
      hosts: [],
      instances: [],
      groups: [],
      choosesTarget: true,
      misfits: [],
      notOffered: [],
      missingRights: [],
      actions: simulatedActions,
    };
    const { claims } = await inTransaction(database.db, (tx) =>
      readFleet(
        tx,
        { takenAt: new Date(), ...cloud },
        { now: new Date(), hostStartSeconds: 600, nackRetries: 2, nackRetrySeconds: 10 },
      ),
    );
    return claims.filter(({ instanceId }) => instanceId === facts.instanceId).flatMap(limitKeysOf);
  };

  it.each([
    { situation: 'to which it was put on its way', storedGroup: 'newgroup', expected: ['old group', 'newgroup'] },
    { situation: 'in which its action began', storedGroup: undefined, expected: ['old group'] },
  ])('counts in the group $situation', async ({ storedGroup, expected }) => {
    expect(await groupsOf(storedGroup)).toEqual(expected);
  });
});

const maintained = (fields: Partial<SessionHostRecord>): SessionHostRecord =>
  aSessionHost({
    ...{ hostname: 'a', phase: 'maintained', maintained: true },
    ...{ phaseSince: before, drainStartedAt: before, enabledAt: after },
    ...fields,
  });

it.each([
  { situation: 'was enabled again since', given: {}, expected: true },
  {
    situation: 'was enabled again before, so somebody else disabled it',
    given: { enabledAt: before },
    expected: false,
  },
  { situation: 'was never disabled by its session', given: { enabledAt: null }, expected: false },
  { situation: 'was enabled and disabled again since', given: { disabled: true, disabledAt: after }, expected: false },
  { situation: 'was enabled again since, and is down', listed: { isUp: false }, expected: false },
  {
    situation: 'was enabled again since, and of whose instances nobody knows',
    listed: { contentUnknown: 'one of them makes no sense' },
    expected: false,
  },
])('has $expected for "enabled" of a host listed as disabled that $situation', ({ given, listed, expected }) => {
  const hosts = [{ ...host('a'), enabled: false, ...listed }];
  expect(withWork({ hosts, takenAt: listedAt, startingUntil: new Map() }, [maintained(given ?? {})])).toMatchObject([
    { enabled: expected },
  ]);
});

describe('a host that a session has enabled', () => {
  const loadedAt = new Date(listedAt.getTime() + 1_000);
  const enabledAgo = async (seconds: number, listed: Partial<CloudHost>): Promise<number | undefined> => {
    const enabledAt = new Date(loadedAt.getTime() - seconds * 1000);
    const { id } = await database.db.session.findFirstOrThrow();
    const facts = { type: 'compute', isCompute: true, phase: 'maintained', owned: false, enabledAt };
    const hostname = `enabled ${String(seconds)} s ago`;
    const key = { sessionId_hostname: { sessionId: id, hostname } };
    const data = { ...facts, hostname, sessionId: id };
    await database.db.sessionHost.upsert({ where: key, create: data, update: data });
    const hosts = [{ ...host(hostname), ...listed }];
    const snapshot: CloudSnapshot = {
      takenAt: listedAt,
      hosts,
      instances: [],
      groups: [],
      choosesTarget: true,
      misfits: [],
      notOffered: [],
      missingRights: [],
      actions: simulatedActions,
    };
    const loading = { now: loadedAt, hostStartSeconds: 600, nackRetries: 2, nackRetrySeconds: 10 };
    const fleet = await inTransaction(database.db, (tx) => readFleet(tx, snapshot, loading));
    return fleet.hosts[0]?.startingUntilMs;
  };
  beforeAll(() => recordSession(database.db));

  it.each([
    { situation: 'is waited for while it is down, also when its session is over', seconds: 60, untilS: 540 },
    { situation: 'is not waited for any longer than it may take', seconds: 601, untilS: undefined },
    { situation: 'is not waited for where it is up', seconds: 61, listed: { isUp: true }, untilS: undefined },
    {
      situation: 'is not waited for where somebody else has disabled it',
      ...{ seconds: 62, listed: { enabled: false }, untilS: undefined },
    },
  ])('$situation', async ({ seconds, listed, untilS }) => {
    const untilMs = await enabledAgo(seconds, { isUp: false, ...listed });
    expect(untilMs).toBe(untilS === undefined ? undefined : loadedAt.getTime() + untilS * 1000);
  });
});

describe('an instance that the cloud keeps unless its session says otherwise', () => {
  const data = { kind: 'byProject', because: 'it has data' } as const;
  const kept = {
    ...{ instanceName: 'pod', projectId: randomUUID(), flavor: 'pod', amounts: {}, state: 'Running' },
    departure: { ...data, place: { kind: 'elsewhere' } },
    keptUnless: [{ option: 'localData', byDefault: 'keep', way: data }],
  } as const;

  /** What holds the instances on hosts of two sessions and of none. */
  const heldOn = async (eviction: object, newEvictions?: Loading['newEvictions']): Promise<readonly unknown[]> => {
    const hostnames = ['gives up', 'keeps', 'free'].map((name) => `${name} ${randomUUID()}`);
    for (const [at, hostname] of hostnames.slice(0, 2).entries()) {
      const sessionId = await recordSession(database.db);
      await database.db.session.update({ where: { id: sessionId }, data: at === 0 ? { eviction } : {} });
      await database.db.sessionHost.create({
        data: { sessionId, hostname, type: 'compute', isCompute: true, phase: 'waiting' },
      });
    }
    const snapshot: CloudSnapshot = {
      ...{ takenAt: new Date(), hosts: hostnames.map(host), groups: [], choosesTarget: false, misfits: [] },
      ...{ notOffered: [], missingRights: [], actions: kubernetesActions },
      instances: hostnames.map((name) => ({ ...kept, instanceId: randomUUID(), host: name })),
    };
    const renamed = newEvictions && new Map([...newEvictions.values()].map((one) => [hostnames[2]!, one]));
    const loading = {
      now: new Date(),
      hostStartSeconds: 60,
      nackRetries: 2,
      nackRetrySeconds: 100,
      ...(renamed && { newEvictions: renamed }),
    };
    const { instances } = await inTransaction(database.db, (tx) => readFleet(tx, snapshot, loading));
    return instances.map(whyByProject);
  };

  it('is movable on the hosts of that session alone', async () => {
    expect(await heldOn({ localData: 'delete' })).toEqual([undefined, 'it has data', 'it has data']);
    expect(await heldOn({ unmanagedPods: 'delete' })).toEqual(['it has data', 'it has data', 'it has data']);
  });

  it('is movable in the plan of a session that is not there yet', async () => {
    const newEvictions = new Map([['free', { localData: 'delete' } as const]]);
    expect(await heldOn({}, newEvictions)).toEqual(['it has data', 'it has data', undefined]);
  });
});

it.each([
  { state: 'PLANNED_MAINTENANCE', isUnhealthy: true, away: 1 },
  { state: 'PLANNED_MAINTENANCE', isUnhealthy: false, away: undefined },
  { state: 'MAINTENANCE_DONE', isUnhealthy: true, away: undefined },
])('counts $away moved members as away: not well $isUnhealthy, its session in $state', async (given) => {
  const { db } = database;
  const sessionId = await recordSession(db);
  await db.session.update({ where: { id: sessionId }, data: { state: given.state } });
  const facts = {
    ...{ instanceId: randomUUID(), projectId: randomUUID(), instanceName: 'vm' },
    amounts: { VCPU: 1, MEMORY_MB: 1024 },
  };
  const ended = { phase: 'closed', recoveryTime: 0, outcome: 'done', endedAt: listedAt };
  const way = { source: 'a', target: 'b', action: 'LIVE_MIGRATE', groupKey: 'group' };
  await db.claim.create({ data: { ...facts, ...way, ...ended, sessionId } });
  const snapshot: CloudSnapshot = {
    ...{ takenAt: new Date(), hosts: [host('a'), host('b')], groups: [], choosesTarget: true, misfits: [] },
    ...{ notOffered: [], missingRights: [], actions: simulatedActions },
    instances: [
      {
        ...facts,
        host: 'b',
        flavor: 'small',
        state: 'ERROR',
        departure: movesElsewhere,
        ...(given.isUnhealthy && { isUnhealthy: true as const }),
      },
    ],
  };
  const loading = { now: new Date(), hostStartSeconds: 600, nackRetries: 2, nackRetrySeconds: 10 };
  const { groups } = await inTransaction(db, (tx) => readFleet(tx, snapshot, loading));
  expect(groups.map(({ membersAway }) => membersAway)).toEqual([given.away]);
});
