/** Calls that disable or enable a host and go through late: what was decided since is put right. */
import { pino } from 'pino';
import { createHostActivities } from '../../../../activities/hosts/host-activities';
import { tendHost } from '../../../../activities/hosts/host-orders';
import type { Services } from '../../../../activities/services';
import { createSweepActivities } from '../../../../activities/upkeep/sweep-activities';
import { type CloudDriver, CloudRefusal } from '../../../../clouds/cloud-driver';
import { createSimulatedCloud } from '../../../../clouds/simulated/simulated-cloud';
import { aGate } from '../../events/a-gate';
import { drafts } from '../../events/recorded-facts';
import { createTestDatabase } from '../../setup/test-database';
import { recordRun } from '../session/recorded-run';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const hostname = 'a';
const addHost = (disabledReason?: string, name = hostname) =>
  database.db.simHost.create({
    data: {
      ...{ name, type: 'compute', isCompute: true, vcpus: 1, memoryMb: 1024 },
      ...(disabledReason !== undefined && { disabled: true, disabledReason }),
    },
  });
const seen = async (name = hostname) => {
  const { disabled, disabledReason } = await database.db.simHost.findUniqueOrThrow({ where: { name } });
  return { disabled, disabledReason };
};
const enabled = { disabled: false, disabledReason: null };
const disabledBy = (sessionId: string) => ({ disabled: true, disabledReason: `maintenance session ${sessionId}` });

const limits = { auditDays: 1, eventDays: 1, deletedSessionDays: 1, goneConstraintDays: 1 };

const servicesWith = (changes: Partial<CloudDriver> = {}): Services => {
  const { db } = database;
  const cloud = { ...createSimulatedCloud({ db, speed: 1 }), ...changes };
  const publisher = { publishLeftOvers: () => Promise.resolve() };
  const workflowCalls = { wakeSession: () => Promise.resolve() };
  const logger = pino({ level: 'silent' });
  const current = { runId: 'of another run', status: { name: 'RUNNING' }, raw: {} };
  const client = { workflow: { getHandle: () => ({ describe: () => Promise.resolve(current) }) } };
  // The services that these activities need.
  const actionPlugins = new Map();
  return { db, cloud, client, drafts, publisher, workflowCalls, logger, limits, actionPlugins } as unknown as Services;
};

const emptying = { hostname, phase: 'emptying', disabledBefore: false };
const out = { ...emptying, phase: 'maintaining', disabled: true };
const back = { phase: 'maintained', disabled: false, maintained: true };

it('enables a host that a disable reaches after its maintenance', async () => {
  await addHost();
  const { sessionId, run } = await recordRun(database.db, { state: 'PLANNED_MAINTENANCE' }, [emptying]);
  const [asked, mayGoThrough] = [aGate(), aGate()];
  const cloud = createSimulatedCloud({ db: database.db, speed: 1 });
  const services = servicesWith({
    async disableHost(...given) {
      asked.open();
      await mayGoThrough.passed;
      await cloud.disableHost(...given);
    },
  });
  const late = run(() => createHostActivities(services).disableHost({ sessionId, hostname }));
  await asked.passed;
  await database.db.sessionHost.updateMany({ data: { ...back, runId: 'of another run' } });
  mayGoThrough.open();
  // This run may not write any more, and puts the host right all the same.
  await expect(late).rejects.toThrow('not the one in force');
  expect(await seen()).toEqual(enabled);
});

it.each([back, { phase: 'waiting', disabled: false }, { phase: 'skipped', disabled: false }])(
  'does not record a host as disabled that a disable of its own run reaches when it is $phase',
  async (since) => {
    await addHost();
    const { sessionId, run } = await recordRun(database.db, { state: 'PLANNED_MAINTENANCE' }, [emptying]);
    const cloud = createSimulatedCloud({ db: database.db, speed: 1 });
    const services = servicesWith({
      async disableHost(...given) {
        await database.db.sessionHost.updateMany({ data: since });
        await cloud.disableHost(...given);
      },
    });
    await run(() => createHostActivities(services).disableHost({ sessionId, hostname }));
    expect(await seen()).toEqual(enabled);
    expect(await database.db.sessionHost.findFirst()).toMatchObject({ ...since, disabledAt: null });
  },
);

it('disables a host that an enable reaches after it was put under work again', async () => {
  const { sessionId, run } = await recordRun(database.db, { state: 'PLANNED_MAINTENANCE' }, [out]);
  await addHost(`maintenance session ${sessionId}`);
  const [asked, mayGoThrough] = [aGate(), aGate()];
  const cloud = createSimulatedCloud({ db: database.db, speed: 1 });
  const services = servicesWith({
    async enableHost(...given) {
      asked.open();
      await mayGoThrough.passed;
      await cloud.enableHost(...given);
    },
  });
  const late = run(() => createHostActivities(services).finishMaintenance({ sessionId, hostname }));
  await asked.passed;
  await database.db.sessionHost.updateMany({ data: { ...out, enablingAt: null, runId: 'of another run' } });
  mayGoThrough.open();
  await expect(late).rejects.toThrow('not the one in force');
  expect(await seen()).toEqual(disabledBy(sessionId));
});

it('begins the maintenance of a host that was enabled late only when it is disabled', async () => {
  await addHost();
  const { sessionId, run } = await recordRun(database.db, { state: 'PLANNED_MAINTENANCE' }, [out]);
  const begun = await run(() => createHostActivities(servicesWith()).beginMaintenance({ sessionId, hostname }));
  expect(begun).toBe(true);
  expect(await seen()).toEqual(disabledBy(sessionId));
});

it('disables a host that is begun again while a run is open that found it given back', async () => {
  await addHost();
  const again = { ...emptying, disabled: false, enabledAt: new Date() };
  const { sessionId, run } = await recordRun(database.db, { state: 'PLANNED_MAINTENANCE', workflow: 'vnf' }, [again]);
  const orders = await run(() => tendHost(servicesWith(), { sessionId, hostname }));
  expect(orders).toMatchObject({ kind: 'empty' });
  expect(await seen()).toEqual(disabledBy(sessionId));
});

it.each([
  { situation: 'a late call of ours', isOurs: true, disabledBefore: false },
  { situation: 'an operator', isOurs: false, disabledBefore: true },
])('has a host that $situation disabled back as it was before', async ({ isOurs, disabledBefore }) => {
  const { sessionId: earlier } = await recordRun(database.db, { deletedAt: new Date() }, []);
  await addHost(isOurs ? `maintenance session ${earlier}` : 'broken fan');
  const opened = { hostname, phase: 'emptying' };
  const { sessionId, run } = await recordRun(database.db, { state: 'PLANNED_MAINTENANCE' }, [opened]);
  await run(() => createHostActivities(servicesWith()).disableHost({ sessionId, hostname }));
  expect(await database.db.sessionHost.findFirst()).toMatchObject({ disabled: true, disabledBefore });
});

it('counts a host that an operator has enabled since as in use, when it is disabled anew', async () => {
  await addHost();
  const again = { hostname, phase: 'emptying', disabledBefore: true };
  const { sessionId, run } = await recordRun(database.db, { state: 'PLANNED_MAINTENANCE' }, [again]);
  await run(() => createHostActivities(servicesWith()).disableHost({ sessionId, hostname }));
  expect(await seen()).toEqual(disabledBy(sessionId));
  expect(await database.db.sessionHost.findFirst()).toMatchObject({ disabled: true, disabledBefore: false });
});

it.each([
  { activity: 'finishMaintenance', host: back },
  { activity: 'giveBackHost', host: { phase: 'waiting' } },
] as const)('leaves what an operator has disabled since, when $activity is repeated', async ({ activity, host }) => {
  await addHost('broken fan');
  const given = { hostname, disabledBefore: false, ...host };
  const { sessionId, run } = await recordRun(database.db, { state: 'PLANNED_MAINTENANCE' }, [given]);
  await run(async () => {
    await createHostActivities(servicesWith())[activity]({ sessionId, hostname });
  });
  expect(await seen()).toEqual({ disabled: true, disabledReason: 'broken fan' });
  expect(await database.db.sessionHost.findFirst()).toMatchObject({ ...host, enablingAt: null });
});

it('fails a host that was enabled late and that the cloud refuses to disable again', async () => {
  await addHost();
  const { sessionId, run } = await recordRun(database.db, { state: 'PLANNED_MAINTENANCE' }, [out]);
  const refused = new CloudRefusal('not allowed');
  const services = servicesWith({ disableHost: () => Promise.reject(refused) });
  const begun = run(() => createHostActivities(services).beginMaintenance({ sessionId, hostname }));
  const message = `host ${hostname} was switched against what is on record and could not be disabled again: not allowed`;
  await expect(begun).rejects.toMatchObject({ nonRetryable: true, message });
});

describe('after the worker that called is dead, the sweeper', () => {
  const sweep = () => createSweepActivities(servicesWith()).sweepOnce();
  const done = { state: 'MAINTENANCE_DONE' };

  it.each([
    { situation: 'is over', session: done, owned: false },
    { situation: 'is deleted', session: { deletedAt: new Date() }, owned: undefined },
  ])('enables what a late call of a session disabled that $situation', async ({ session, owned }) => {
    const hosts = owned === undefined ? [] : [{ ...back, hostname, owned, disabledBefore: false }];
    const { sessionId } = await recordRun(database.db, session, hosts);
    await addHost(`maintenance session ${sessionId}`);
    await sweep();
    expect(await seen()).toEqual(enabled);
  });

  it('leaves what an operator has disabled while another host was switched back', async () => {
    const { sessionId } = await recordRun(database.db, { deletedAt: new Date() }, []);
    const reason = `maintenance session ${sessionId}`;
    await addHost(reason);
    await addHost(reason, 'b');
    const cloud = createSimulatedCloud({ db: database.db, speed: 1 });
    const services = servicesWith({
      async enableHost(name) {
        await cloud.enableHost(name);
        await database.db.simHost.updateMany({ where: { name: 'b' }, data: { disabledReason: 'broken fan' } });
      },
    });
    await createSweepActivities(services).sweepOnce();
    expect(await seen()).toEqual(enabled);
    expect(await seen('b')).toEqual({ disabled: true, disabledReason: 'broken fan' });
  });

  it.each([
    { situation: 'was in use before', disabledBefore: false },
    { situation: 'an operator had disabled before', disabledBefore: true },
  ])('disables a host under work again that an operator has enabled, and that $situation', async (given) => {
    await addHost();
    const { disabledBefore } = given;
    const host = { ...out, disabledBefore };
    const { sessionId } = await recordRun(database.db, { state: 'PLANNED_MAINTENANCE' }, [host]);
    await sweep();
    expect(await seen()).toEqual(disabledBy(sessionId));
  });

  it.each([
    { situation: 'an operator', reason: 'broken fan' },
    { situation: 'another service', reason: 'maintenance session 00000000-0000-4000-8000-000000000000' },
  ])('leaves alone what $situation has disabled', async ({ reason }) => {
    await addHost(reason);
    await sweep();
    expect(await seen()).toEqual({ disabled: true, disabledReason: reason });
  });
});
