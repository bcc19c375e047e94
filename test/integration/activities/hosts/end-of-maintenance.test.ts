/** The end of a host's maintenance: the host is as it was before, unless an operator has disabled it meanwhile. */
import { pino } from 'pino';
import { createHostActivities } from '../../../../activities/hosts/host-activities';
import type { Services } from '../../../../activities/services';
import { createSimulatedCloud } from '../../../../clouds/simulated/simulated-cloud';
import { nothingKnown } from '../../../../rules/cloud/host-findings';
import { whyGone } from '../../../../rules/decisions/fleet/gone-hosts';
import { drafts } from '../../events/recorded-facts';
import { createTestDatabase } from '../../setup/test-database';
import { recordRun } from '../session/recorded-run';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const hostname = 'a';

const ofOperator = 'broken fan';
const keptBefore = 'was disabled before the session and stays disabled';
const keptSince = `was disabled by somebody else meanwhile and stays disabled: ${ofOperator}`;

const endWork = async (
  activity: 'finishMaintenance' | 'giveBackHost',
  { disabledBefore, reason }: { readonly disabledBefore: boolean; readonly reason: string | undefined },
) => {
  const { db } = database;
  const phase = activity === 'finishMaintenance' ? 'maintaining' : 'releasing';
  const out = { phase, disabled: true, disabledAt: new Date(), disabledBefore };
  const { sessionId, run } = await recordRun(db, { state: 'PLANNED_MAINTENANCE' }, [{ hostname, ...out }]);
  const disabledReason = reason ?? `maintenance session ${sessionId}`;
  const listed = { name: hostname, type: 'compute', isCompute: true, vcpus: 1, memoryMb: 1024 };
  await db.simHost.create({ data: { ...listed, disabled: true, disabledReason } });
  const cloud = createSimulatedCloud({ db, speed: 1 });
  // The services that this activity needs.
  const workflowCalls = { wakeSession: () => Promise.resolve() };
  const limits = { undoDisabledReasons: ['Masakari detected'] };
  const services = {
    db,
    cloud,
    workflowCalls,
    drafts,
    limits,
    logger: pino({ level: 'silent' }),
  } as unknown as Services;
  const failure = await run(async () => {
    await createHostActivities(services)[activity]({ sessionId, hostname });
  }).then(() => undefined, String);
  const [seen] = await cloud.listHosts();
  return {
    failure,
    enabled: seen?.enabled,
    reason: seen?.disabledReason,
    host: await db.sessionHost.findFirstOrThrow(),
  };
};

describe.each(['finishMaintenance', 'giveBackHost'] as const)('%s', (activity) => {
  const ended =
    activity === 'finishMaintenance'
      ? { phase: 'maintained', maintained: true }
      : { phase: 'waiting', maintained: false };

  it.each([
    { situation: 'that was in use', disabledBefore: false },
    { situation: 'that an operator had disabled before, and enabled meanwhile', disabledBefore: true },
  ])('enables a host $situation', async ({ disabledBefore }) => {
    const { enabled, host } = await endWork(activity, { disabledBefore, reason: undefined });
    expect(enabled).toBe(true);
    expect(host).toMatchObject({ ...ended, disabled: false, enabledAt: expect.any(Date) as Date, details: '' });
  });

  it('leaves a host disabled that an operator has disabled before', async () => {
    const { enabled, reason, host } = await endWork(activity, { disabledBefore: true, reason: ofOperator });
    expect({ enabled, reason }).toEqual({ enabled: false, reason: ofOperator });
    const kept = { disabled: true, disabledBefore: true, enablingAt: null, enabledAt: null, details: keptBefore };
    expect(host).toMatchObject({ ...ended, ...kept });
  });

  it('enables a host that was disabled meanwhile for a reason that may be undone, not one from before', async () => {
    const reason = 'Masakari detected host failed.';
    expect(await endWork(activity, { disabledBefore: false, reason })).toMatchObject({
      ...{ enabled: true, failure: undefined },
      host: { ...ended, disabled: false, details: '' },
    });
  });
});

it('a host that somebody else has disabled during its maintenance is not back, and fails at once', async () => {
  const { failure, reason, host } = await endWork('finishMaintenance', { disabledBefore: false, reason: ofOperator });
  expect(failure).toContain(
    'host a is not back: somebody else has disabled it since the session did (broken fan); enable it',
  );
  expect(reason).toBe(ofOperator);
  expect(host).toMatchObject({ phase: 'maintaining', maintained: false, disabled: true, enablingAt: null });
});

it('a host that somebody else has disabled while it was drained is given back, and stays disabled', async () => {
  const { reason, host } = await endWork('giveBackHost', { disabledBefore: false, reason: ofOperator });
  expect(reason).toBe(ofOperator);
  const kept = { disabled: true, disabledBefore: true, enablingAt: null, enabledAt: null, details: keptSince };
  expect(host).toMatchObject({ phase: 'waiting', maintained: false, ...kept });
});

it.each([
  { situation: 'keeps it disabled still', isEnabledBefore: false, failure: /host a is not back.*broken fan/ },
  { situation: 'has enabled it before', isEnabledBefore: true, failure: undefined },
])('a host given back that somebody else $situation is worked on anew', async ({ isEnabledBefore, failure }) => {
  const { db } = database;
  const out = { phase: 'releasing', disabled: true, disabledAt: new Date(), disabledBefore: false };
  const { sessionId, run } = await recordRun(db, { state: 'PLANNED_MAINTENANCE' }, [{ hostname, ...out }]);
  const listed = { name: hostname, type: 'compute', isCompute: true, vcpus: 1, memoryMb: 1024 };
  await db.simHost.create({ data: { ...listed, disabled: true, disabledReason: ofOperator } });
  const services = {
    ...{ db, cloud: createSimulatedCloud({ db, speed: 1 }), drafts, limits: {}, logger: pino({ level: 'silent' }) },
    ...{ workflowCalls: { wakeSession: () => Promise.resolve() } },
  } as unknown as Services;
  const activities = createHostActivities(services);
  const host = { sessionId, hostname };
  await run(() => activities.giveBackHost(host));
  if (isEnabledBefore) await db.simHost.updateMany({ data: { disabled: false, disabledReason: null } });
  await db.sessionHost.updateMany({ data: { phase: 'maintaining' } });
  await run(() => activities.disableHost(host));
  const ended = await run(() => activities.finishMaintenance(host)).then(() => undefined, String);
  if (failure === undefined) expect(ended).toBeUndefined();
  else expect(ended).toMatch(failure);
  expect(await db.sessionHost.findFirstOrThrow()).toMatchObject({ maintained: isEnabledBefore });
});

it.each([
  { activity: 'finishMaintenance', phase: 'maintaining', over: 'maintained' },
  { activity: 'giveBackHost', phase: 'releasing', over: 'waiting' },
] as const)('$activity enables a host once the work of its plug-ins there has ended', async (row) => {
  const { db } = database;
  const actions = [{ plugin: 'reboot', type: 'host', metadata: {} }];
  const out = { phase: row.phase, disabled: true, disabledAt: new Date(), disabledBefore: false };
  const { sessionId, run } = await recordRun(db, { state: 'PLANNED_MAINTENANCE', actions }, [{ hostname, ...out }]);
  const listed = { name: hostname, type: 'compute', isCompute: true, vcpus: 1, memoryMb: 1024 };
  await db.simHost.create({ data: { ...listed, disabled: true, disabledReason: `maintenance session ${sessionId}` } });
  const still = ['pod parley-1', undefined];
  const plugin = { clear: () => Promise.resolve(still.shift()) };
  const services = {
    ...{ db, cloud: createSimulatedCloud({ db, speed: 1 }), drafts, logger: pino({ level: 'silent' }) },
    ...{ workflowCalls: { wakeSession: () => Promise.resolve() }, actionPlugins: new Map([['reboot', plugin]]) },
  } as unknown as Services;
  const end = (): Promise<unknown> =>
    run<unknown>(() => createHostActivities(services)[row.activity]({ sessionId, hostname }));
  const first = await end().catch(String);
  const meanwhile = await db.sessionHost.findFirstOrThrow();
  const because = 'pod parley-1 of action plug-in reboot has not ended yet';
  expect([meanwhile.phase, meanwhile.disabled, meanwhile.findings]).toMatchObject([
    ...[row.phase, true],
    { doubts: [{ owner: 'operator', because }] },
  ]);
  expect(first).toMatch(row.phase === 'releasing' ? /pod parley-1/ : /^notYet$/);
  await end();
  expect(await db.sessionHost.findFirstOrThrow()).toMatchObject({ phase: row.over, disabled: false, findings: null });
});

it.each([
  { activity: 'finishMaintenance', situation: 'during its maintenance', row: { phase: 'maintaining' } },
  { activity: 'giveBackHost', situation: 'while it was drained', row: { phase: 'releasing', skipReason: whyGone } },
] as const)('a host that has left its cloud $situation is skipped', async ({ activity, row }) => {
  const { db } = database;
  const out = { ...row, disabled: true, disabledAt: new Date(), disabledBefore: false };
  const { sessionId, run } = await recordRun(db, { state: 'PLANNED_MAINTENANCE' }, [{ hostname, ...out }]);
  const whatIsOn = () => Promise.resolve({ instances: [], doubts: [nothingKnown(hostname, 'there is no such node')] });
  const cloud = { ...createSimulatedCloud({ db, speed: 1 }), hostsLeave: true, whatIsOn };
  const workflowCalls = { wakeSession: () => Promise.resolve() };
  const services = { db, cloud, workflowCalls, drafts, logger: pino({ level: 'silent' }) } as unknown as Services;
  await run(async () => {
    await createHostActivities(services)[activity]({ sessionId, hostname });
  });
  const skipped = { phase: 'skipped', disabled: false, maintained: false, failure: null, details: whyGone };
  expect(await db.sessionHost.findFirstOrThrow()).toMatchObject(skipped);
});
