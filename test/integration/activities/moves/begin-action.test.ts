/** The last look before an action begins: what it asks the cloud, and what the cloud's answer may not show yet. */
import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { pino } from 'pino';
import { actionLimitOf } from '../../../../activities/moves/action-limit';
import { beginAction, beginIfItMay } from '../../../../activities/moves/begin-action';
import type { Services } from '../../../../activities/services';
import { type CloudDriver, latelyMs } from '../../../../clouds/cloud-driver';
import { inTransaction } from '../../../../prisma/database';
import { recordActionEnd } from '../../../../prisma/moves/claim-end';
import { type ClaimRecord, findClaim, recordActionStart } from '../../../../prisma/moves/claims';
import type { CloudInstance } from '../../../../rules/cloud/cloud-facts';
import type { Terms, ToldTerms } from '../../../../rules/cloud/terms';
import { weekdays } from '../../../../rules/maintenance-windows/maintenance-window';
import { noMeasures } from '../../../../telemetry/metrics/measures';
import { drafts } from '../../events/recorded-facts';
import { createTestDatabase } from '../../setup/test-database';
import {
  aCloudWith,
  anInstanceOn,
  type GrantedMove,
  grantMove,
  hostStartSeconds,
  startLimits,
  storeConstraints,
  stored,
  targetFor,
} from './granted-move';

const silent = pino({ level: 'silent' });
let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const beginningOf = async ({ claim, beginner }: GrantedMove, cloud: CloudDriver): Promise<string> =>
  (await beginIfItMay({ cloud, db: database.db, limits: startLimits, logger: silent }, claim, beginner)).kind;

describe('an instance whose project tells the cloud', () => {
  const hoursBehind = (days: number): Terms => {
    const date = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    return { hours: [{ dates: [date], time_zone: 'UTC' }] };
  };
  it.each<{ what: string; terms: ToldTerms; expected: string }>([
    { what: 'hours of its own that come later', terms: { ofInstance: hoursBehind(3) }, expected: 'putOff' },
    { what: 'hours of the project that come later', terms: { ofProject: hoursBehind(3) }, expected: 'putOff' },
    { what: 'that it wants a notice', terms: { ofInstance: { notice_seconds: 3_600 } }, expected: 'putOff' },
    {
      what: 'hours of its own that count before those of the project',
      terms: { ofInstance: { hours: [{ days: weekdays, time_zone: 'UTC' }] }, ofProject: hoursBehind(3) },
      expected: 'began',
    },
    { what: 'an answer alone', terms: { ofProject: { ask: 'never' } }, expected: 'began' },
  ])('$what: "$expected"', async ({ terms, expected }) => {
    const instance = { ...anInstanceOn('a'), terms };
    const cloud = aCloudWith(database.db, { instance });
    expect(await beginningOf(await grantMove(database.db, instance), cloud)).toBe(expected);
  });
});

describe('an instance that another claim has brought to the target', () => {
  const longAgo = new Date(Date.now() - 10 * latelyMs);

  it.each([
    { situation: 'just now, not listed there yet,', isLate: true, isListed: false, room: 1, expected: 'putOff' },
    { situation: 'just now, not listed there yet,', isLate: true, isListed: false, room: 2, expected: 'began' },
    { situation: 'just now, and listed there,', isLate: true, isListed: true, room: 2, expected: 'began' },
    { situation: 'long ago, and listed nowhere,', isLate: false, isListed: false, room: 1, expected: 'began' },
  ])('$situation counts: with capacity for $room it is "$expected"', async ({ isLate, isListed, room, expected }) => {
    const [instance, landed] = [anInstanceOn('a'), anInstanceOn('b')];
    const brought = await grantMove(database.db, landed, { phase: 'closed', outcome: 'done', endedAt: longAgo });
    /** The other one lands while the cloud is asked, so that it is late however slow the machine is. */
    const findInstance = async () => {
      const landsNow = { where: { id: brought.claim.id }, data: { endedAt: new Date() } };
      if (isLate) await database.db.claim.update(landsNow);
      return instance;
    };
    const listing = () => Promise.resolve(isListed ? [landed] : []);
    const changes = { findInstance, listInstances: listing, listInstancesLately: listing };
    const cloud = aCloudWith(database.db, { instance, count: room }, changes);
    expect(await beginningOf(await grantMove(database.db, instance), cloud)).toBe(expected);
  });
});

it.each([
  { left: 'has left since', there: [], expected: 'began' },
  { left: 'is still there', there: [anInstanceOn('b')], expected: 'putOff' },
])('puts nothing off for an instance listed lately before it is listed anew: it $left', async ({ there, expected }) => {
  const instance = anInstanceOn('a');
  const listings = {
    listInstances: () => Promise.resolve(there),
    listInstancesLately: () => Promise.resolve([anInstanceOn('b')]),
  };
  const cloud = aCloudWith(database.db, { instance }, listings);
  expect(await beginningOf(await grantMove(database.db, instance), cloud)).toBe(expected);
});

it('puts off what goes to a target of which the cloud cannot tell what is on it, and does not ask for that', async () => {
  const instance = anInstanceOn('a');
  const unknown = () => Promise.resolve([{ ...targetFor(1), contentUnknown: 'one of them makes no sense' }]);
  const listing = () => Promise.reject(new Error('nobody knows what is on host b'));
  const changes = {
    listHosts: unknown,
    listHostsLately: unknown,
    listInstances: listing,
    listInstancesLately: listing,
  };
  const cloud = aCloudWith(database.db, { instance }, changes);
  expect(await beginningOf(await grantMove(database.db, instance), cloud)).toBe('putOff');
});

describe('a target that was down lately', () => {
  const down = () => Promise.resolve([{ ...targetFor(1), isUp: false }]);
  const enabledAt = (at: Date) =>
    database.db.sessionHost.create({
      data: {
        ...{ hostname: 'b', type: 'compute', isCompute: true, phase: 'maintained', enabledAt: at },
        session: { connect: { id: sessionId } },
      },
    });
  let sessionId: string;

  it('takes what comes where it is up by now', async () => {
    const instance = anInstanceOn('a');
    const cloud = aCloudWith(database.db, { instance }, { listHostsLately: down });
    expect(await beginningOf(await grantMove(database.db, instance), cloud)).toBe('began');
  });

  it.each([
    { when: 'was maintained lately', secondsAgo: 60, expected: 'targetStarts' },
    { when: 'was maintained long ago', secondsAgo: 2 * hostStartSeconds, expected: 'putOff' },
  ])('is "$expected" where it is still down and $when', async ({ secondsAgo, expected }) => {
    const instance = anInstanceOn('a');
    const granted = await grantMove(database.db, instance);
    ({ sessionId } = granted.beginner);
    await enabledAt(new Date(Date.now() - secondsAgo * 1000));
    const cloud = aCloudWith(database.db, { instance }, { listHosts: down, listHostsLately: down });
    expect(await beginningOf(granted, cloud)).toBe(expected);
  });

  it('keeps the places of all that go to it, and ends their wait where their host is given back', async () => {
    const instances = [anInstanceOn('a'), anInstanceOn('a')];
    const granted = [await grantMove(database.db, instances[0]), await grantMove(database.db, instances[1])];
    ({ sessionId } = granted[0]!.beginner);
    await enabledAt(new Date());
    let isUp = false;
    const hosts = () => Promise.resolve([{ ...targetFor(2), isUp }]);
    const begun = granted.map(({ beginner: { claimId, runId, ...host } }, at) => {
      const changes = { listHosts: hosts, listHostsLately: hosts };
      const cloud = aCloudWith(database.db, { instance: instances[at]! }, changes);
      const services = {
        db: database.db,
        cloud,
        drafts,
        limits: startLimits,
        logger: silent,
        measures: noMeasures,
      } as unknown as Services;
      const calling = { workflowExecution: { workflowId: 'host', runId } };
      const ref = { sessionId: host.sessionId, hostname: host.hostname, claimId };
      return new MockActivityEnvironment(calling).run<
        [],
        ClaimRecord | undefined,
        () => Promise<ClaimRecord | undefined>
      >(() => beginAction(services, ref));
    });
    await database.db.sessionHost.updateMany({
      where: { sessionId: granted[1]!.beginner.sessionId },
      data: { phase: 'releasing' },
    });
    isUp = true;
    expect((await begun[0])?.id).toBe(granted[0]!.claim.id);
    expect(await begun[1]).toBeUndefined();
    const outcomes = await database.db.claim.findMany({ orderBy: { createdAt: 'asc' }, select: { outcome: true } });
    expect(outcomes.map(({ outcome }) => outcome)).toEqual([null, 'dropped']);
  });
});

describe('constraints that change while an action is about to begin', () => {
  const since = new Date('2026-01-01T12:10:00Z');

  interface Change {
    readonly what: string;
    readonly constraintsAt: Date | null;
    readonly askedAt?: Date;
    /** Left out: nothing is stored by now. */
    readonly now?: { readonly updatedAt: Date | null };
    readonly expected: string;
  }
  it.each<Change>([
    { what: 'those that it was granted on', constraintsAt: stored, now: { updatedAt: null }, expected: 'began' },
    { what: 'none, as when it was granted', constraintsAt: null, expected: 'began' },
    { what: 'stored anew', constraintsAt: stored, now: { updatedAt: since }, expected: 'outdated' },
    { what: 'stored where none were', constraintsAt: null, now: { updatedAt: null }, expected: 'outdated' },
    { what: 'deleted', constraintsAt: stored, expected: 'outdated' },
    {
      what: 'stored anew, which its project was asked about',
      ...{ constraintsAt: stored, askedAt: stored, now: { updatedAt: since }, expected: 'began' },
    },
  ])('count where nothing was asked: $what, $expected', async ({ constraintsAt, askedAt = null, now, expected }) => {
    const instance = anInstanceOn('a');
    if (now) await storeConstraints(database.db, instance, now);
    const granted = await grantMove(database.db, instance, { constraintsAt, askedAt, action: 'MIGRATE' });
    expect(await beginningOf(granted, aCloudWith(database.db, { instance }))).toBe(expected);
  });
});

describe('the limit of a group was lowered to one while two of its members had leave', () => {
  const [earlier, later] = [new Date('2026-01-01T12:00:00Z'), new Date('2026-01-01T12:10:00Z')];
  const groupId = randomUUID();
  const member = async (instance: CloudInstance, given: Partial<ClaimRecord>): Promise<GrantedMove> => {
    await storeConstraints(database.db, instance, { groupId });
    return grantMove(database.db, instance, { groupKey: groupId, constraintsAt: stored, ...given });
  };
  const asked = (at: Date) => ({ createdAt: at, askedAt: at });
  const unasked = (at: Date) => ({ createdAt: at, askedAt: null });

  interface Pair {
    readonly what: string;
    readonly own: Partial<ClaimRecord>;
    readonly other: Partial<ClaimRecord>;
    readonly expected: 'began' | 'putOff';
  }
  it.each<Pair>([
    { what: 'was asked earlier', own: asked(later), other: asked(earlier), expected: 'putOff' },
    { what: 'was asked later', own: asked(earlier), other: asked(later), expected: 'began' },
    { what: 'was asked, and it was not', own: unasked(earlier), other: asked(later), expected: 'putOff' },
    { what: 'was not asked, and it was', own: asked(later), other: unasked(earlier), expected: 'began' },
    { what: 'was granted later, nobody asked', own: unasked(earlier), other: unasked(later), expected: 'began' },
    {
      what: 'was asked later and has begun',
      own: asked(earlier),
      other: { ...asked(later), startedAt: later },
      expected: 'putOff',
    },
    {
      what: 'was asked later, and its project answered that it acts on its own',
      own: asked(earlier),
      other: { ...asked(later), action: 'OWN_ACTION' },
      expected: 'putOff',
    },
  ])('where the other one $what, its action $expected', async ({ own, other, expected }) => {
    const instance = anInstanceOn('a');
    const granted = await member(instance, own);
    await member(anInstanceOn('a'), { target: 'c', ...other });
    expect(await beginningOf(granted, aCloudWith(database.db, { instance }))).toBe(expected);
  });
});

describe('a member that was put into another group while it is on its way to the target', () => {
  const [web, db] = [randomUUID(), randomUUID()];

  it.each([
    { what: 'left the group', was: web, is: db, expected: 'began' },
    { what: 'joined the group', was: db, is: web, expected: 'putOff' },
    { what: 'lost its constraints', was: web, is: undefined, expected: 'began' },
  ])('counts where it is now: it $what, so another member $expected', async ({ was, is, expected }) => {
    const instance = anInstanceOn('a');
    const other = { ...anInstanceOn('a'), projectId: instance.projectId };
    const group = { groupName: 'web', antiAffinityGroup: true, maxInstancesPerHost: 1, recoveryTime: 0 };
    const limits = { projectId: instance.projectId, maxImpactedMembers: 5, resourceMitigation: false };
    await database.db.groupConstraint.create({ data: { ...group, ...limits, groupId: web } });
    await grantMove(database.db, other, { groupKey: was, constraintsAt: stored, startedAt: stored });
    if (is !== undefined) await storeConstraints(database.db, other, { groupId: is });
    await storeConstraints(database.db, instance, { groupId: web });
    const granted = await grantMove(database.db, instance, { groupKey: web, constraintsAt: stored });
    expect(await beginningOf(granted, aCloudWith(database.db, { instance, count: 5 }))).toBe(expected);
  });
});

describe('an action that was asked about, whose constraints have changed since', () => {
  it.each([
    { answer: 'silence', chosen: undefined, expected: 'MIGRATE', looks: ['otherAction', 'began'] },
    { answer: 'a choice', chosen: 'LIVE_MIGRATE', expected: 'LIVE_MIGRATE', looks: ['began'] },
  ])('begins after $answer as $expected', async ({ chosen, expected, looks }) => {
    const instance = anInstanceOn('a');
    const { instanceId, projectId } = instance;
    await storeConstraints(database.db, instance, { updatedAt: new Date('2026-01-01T12:10:00Z') });
    const granted = await grantMove(database.db, instance, { constraintsAt: stored, askedAt: stored });
    const { sessionId, id: claimId } = granted.claim;
    const asked = { sessionId, projectId, instanceId, claimId, state: 'PLANNED_MAINTENANCE', messageId: randomUUID() };
    const answered = {
      answer: 'ACK',
      instanceActions: { [instanceId]: chosen },
      status: 'answered',
      answeredAt: stored,
    };
    await database.db.question.create({
      data: {
        ...asked,
        ...{ instanceIds: [instanceId], allowedActions: [], windowSeconds: 60, replyAt: stored },
        ...(chosen === undefined ? { status: 'closed', closedAt: stored } : answered),
      },
    });
    for (const look of looks) {
      const claim = (await findClaim(database.db, claimId))!;
      expect(await beginningOf({ ...granted, claim }, aCloudWith(database.db, { instance }))).toBe(look);
    }
    const { action } = await database.db.claim.findUniqueOrThrow({ where: { id: claimId } });
    expect(action).toBe(expected);
  });
});

it('is not done any more once the instance is moved a second time', async () => {
  const { db } = database;
  const { claim, beginner } = await grantMove(db);
  const { sessionId, instanceId, instanceName, projectId } = claim;
  const seen = { sessionId, instanceId, instanceName, projectId, host: 'a', state: 'ACTIVE' };
  await db.sessionInstance.create({ data: { ...seen, action: 'MIGRATE', actionDone: true } });
  await inTransaction(db, (tx) =>
    recordActionStart(tx, beginner, { recoveryTime: 0, limitSeconds: 60, limitByProject: false }),
  );
  expect(await db.sessionInstance.findFirst({ where: { sessionId } })).toMatchObject({
    action: 'LIVE_MIGRATE',
    actionDone: false,
  });
});

describe('a project has for its own action', () => {
  it.each([
    { situation: 'the time of the setting, where that is the longer one', leadTime: 60, seconds: 600 },
    { situation: 'its lead_time, where that is the longer one', leadTime: 900, seconds: 900 },
  ])('$situation', async ({ leadTime, seconds }) => {
    const { db } = database;
    const instance = anInstanceOn('a');
    await storeConstraints(db, instance);
    await db.instanceConstraint.updateMany({ data: { leadTime } });
    const { instanceId } = instance;
    expect(await actionLimitOf(db, startLimits, { action: 'OWN_ACTION', instanceId })).toEqual({
      limitSeconds: seconds,
      limitByProject: false,
    });
  });
});

it('ends unbegun only where it has not begun since', async () => {
  const { claim, beginner } = await grantMove(database.db);
  await inTransaction(database.db, (tx) =>
    recordActionStart(tx, beginner, { recoveryTime: 0, limitSeconds: 60, limitByProject: false }),
  );
  const end = { outcome: 'dropped' } as const;
  expect(await inTransaction(database.db, (tx) => recordActionEnd(tx, claim, end))).toBeUndefined();
  const { phase } = await database.db.claim.findUniqueOrThrow({ where: { id: claim.id } });
  expect(phase).toBe('moving');
});

describe('the look', () => {
  /** The names of what is asked of the cloud. */
  const noting = (cloud: CloudDriver, asked: Set<string>): CloudDriver =>
    new Proxy(cloud, {
      get(driver, name, receiver): unknown {
        const value: unknown = Reflect.get(driver, name, receiver);
        if (typeof value === 'function') asked.add(String(name));
        return value;
      },
    });

  const askedFor = async (given: Partial<ClaimRecord>, choosesTarget = true): Promise<readonly string[]> => {
    const instance = anInstanceOn('a');
    const asked = new Set<string>();
    const cloud = aCloudWith(database.db, { instance }, { choosesTarget: () => Promise.resolve(choosesTarget) });
    expect(await beginningOf(await grantMove(database.db, instance, given), noting(cloud, asked))).toBe('began');
    return [...asked].sort();
  };

  it('asks for the target, the groups and the instance', async () => {
    const all = ['choosesTarget', 'findInstance', 'listGroupsLately', 'listHostsLately', 'listInstancesLately'];
    expect(await askedFor({ action: 'MIGRATE' })).toEqual(all);
  });

  it('asks for no target where the cloud chooses it', async () => {
    expect(await askedFor({ action: 'MIGRATE' }, false)).toEqual(['choosesTarget', 'findInstance', 'listGroupsLately']);
  });

  it('asks for no target where its project is at work, wherever it will go', async () => {
    expect(await askedFor({ action: 'OWN_ACTION' })).toEqual(['findInstance', 'listGroupsLately']);
  });
});
