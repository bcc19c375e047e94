/** What others take away from a host under work: the host looks often, and tells its session once. */
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { createDecisionTurns } from '../../../../activities/decisions/decision-turns';
import type { HostOrders } from '../../../../activities/hosts/host-orders';
import { tendHost } from '../../../../activities/hosts/host-orders';
import type { Services } from '../../../../activities/services';
import { moveInstance, removeInstance } from '../../../../clouds/simulated/edit-fleet';
import { parseFleet } from '../../../../clouds/simulated/fleet-file';
import { loadFleet } from '../../../../clouds/simulated/load-fleet';
import { createSimulatedCloud } from '../../../../clouds/simulated/simulated-cloud';
import { inTransaction, type Transaction } from '../../../../prisma/database';
import { longestWaitMs, whileWaitingMs } from '../../../../rules/decisions/look-again';
import { aFleetFile, aFleetHost, aFleetInstance, uuidNumber } from '../../../builders/a-fleet-file';
import { aGate } from '../../events/a-gate';
import { drafts } from '../../events/recorded-facts';
import { createTestDatabase } from '../../setup/test-database';
import { untilAnybodyWaitsForALock } from '../moves/granted-move';
import { type RecordedRun, recordRun } from '../session/recorded-run';

const [leaving, staying] = [uuidNumber(1), uuidNumber(2)];
const [hostname, elsewhere] = ['a', 'b'];
const projectId = uuidNumber(900);

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let recorded: RecordedRun;
let lookups: string[];

beforeEach(async () => {
  database = await createTestDatabase();
  const instances = [leaving, staying].map((id) =>
    aFleetInstance({ instance_id: id, instance_name: id, host: hostname }),
  );
  const hosts = [hostname, elsewhere].map((name) => aFleetHost({ name }));
  await loadFleet(database.db, parseFleet(aFleetFile({ hosts, instances })), { storeConstraints: false });
  const emptying = { hostname, phase: 'emptying', disabled: true, disabledBefore: false };
  recorded = await recordRun(database.db, { state: 'PLANNED_MAINTENANCE', workflow: 'vnf' }, [emptying]);
  const { sessionId } = recorded;
  for (const instanceId of [leaving, staying]) {
    const seen = { sessionId, instanceId, instanceName: instanceId, projectId, host: hostname, state: 'ACTIVE' };
    await database.db.sessionInstance.create({ data: seen });
  }
  lookups = [];
});
afterEach(() => database.drop());

const look = (): Promise<HostOrders> => {
  const { db } = database;
  const cloud = createSimulatedCloud({ db, speed: 1 });
  const findInstance = (id: string) => {
    lookups.push(id);
    return cloud.findInstance(id);
  };
  const decisionTurns = createDecisionTurns();
  const services = { db, cloud: { ...cloud, findInstance }, decisionTurns, drafts, logger: pino({ level: 'silent' }) };
  // The services that this look needs.
  return recorded.run(() => tendHost(services as unknown as Services, { sessionId: recorded.sessionId, hostname }));
};
const noted = () =>
  database.db.sessionInstance.findFirst({ where: { instanceId: leaving }, select: { host: true, state: true } });

const claim = (fields: { readonly startedAt?: Date; readonly phase?: string; readonly outcome?: string }) =>
  database.db.claim.create({
    data: {
      ...{ id: randomUUID(), sessionId: recorded.sessionId, instanceId: leaving, instanceName: leaving, projectId },
      ...{
        groupKey: 'g',
        source: hostname,
        target: elsewhere,
        action: 'LIVE_MIGRATE',
        amounts: { VCPU: 1, MEMORY_MB: 1 },
      },
      ...{ phase: 'moving', recoveryTime: 0, ...fields },
    },
  });

it.each([
  { situation: 'deleted', act: () => removeInstance(database.db, leaving), now: { host: hostname, state: 'DELETED' } },
  {
    situation: 'moved',
    act: () => moveInstance(database.db, leaving, elsewhere),
    now: { host: elsewhere, state: 'ACTIVE' },
  },
])('tells the session once of an instance that somebody has $situation', async ({ act, now }) => {
  expect(await look()).toMatchObject({ report: false, lookAgainMs: whileWaitingMs });
  await act();
  expect(await look()).toMatchObject({ report: true, lookAgainMs: whileWaitingMs });
  expect(await noted()).toEqual(now);
  expect(await look()).toMatchObject({ report: false, lookAgainMs: whileWaitingMs });
});

it('looks often for an instance whose move was refused, and tells the session when it is gone', async () => {
  await claim({ startedAt: new Date(), phase: 'closed', outcome: 'refused' });
  await removeInstance(database.db, staying);
  await look();
  expect(await look()).toMatchObject({ report: false, lookAgainMs: whileWaitingMs });
  await removeInstance(database.db, leaving);
  expect(await look()).toMatchObject({ report: true });
  expect(await noted()).toEqual({ host: hostname, state: 'DELETED' });
});

it('leaves an instance whose action has begun to that action, and looks seldom where no other waits', async () => {
  await claim({ startedAt: new Date() });
  await removeInstance(database.db, staying);
  expect(await look()).toMatchObject({ report: true, lookAgainMs: longestWaitMs });
  await removeInstance(database.db, leaving);
  lookups = [];
  expect(await look()).toMatchObject({ report: false, lookAgainMs: longestWaitMs });
  expect(lookups).toEqual([]);
});

it('looks seldom while the session is paused', async () => {
  await database.db.session.update({ where: { id: recorded.sessionId }, data: { pausedAt: new Date() } });
  expect(await look()).toMatchObject({ report: false, lookAgainMs: longestWaitMs });
});

it('asks the cloud only for its list of the host while nothing has left', async () => {
  await look();
  expect(lookups).toEqual([]);
});

it('locks the instances that have left in the order in which an answer about them does', async () => {
  const { db } = database;
  const { sessionId } = recorded;
  const [first, second] = [uuidNumber(11), uuidNumber(12)];
  const records = [
    { instanceId: leaving, id: second },
    { instanceId: staying, id: first },
  ];
  for (const { instanceId, id } of records) {
    await removeInstance(db, instanceId);
    await db.sessionInstance.updateMany({ where: { sessionId, instanceId }, data: { id } });
  }
  const answered = (tx: Transaction, id: string) =>
    tx.sessionInstance.update({ where: { id }, data: { projectState: 'ACK_PLANNED_MAINTENANCE' } });
  const [answering, looking] = [aGate(), aGate()];
  const answer = inTransaction(db, async (tx) => {
    await answered(tx, first);
    answering.open();
    await looking.passed;
    await answered(tx, second);
  });
  await answering.passed;
  const orders = look();
  await untilAnybodyWaitsForALock(db);
  looking.open();
  await expect(answer).resolves.toBeUndefined();
  expect(await orders).toMatchObject({ report: true });
});
