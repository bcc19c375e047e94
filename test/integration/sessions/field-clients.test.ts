/**
 * Managers as they exist in the field, one on each workflow (test/openstack has both on both): they hear of events over
 * Kafka and telemetry, in the names and the form that they expect, and have their oddities (test/field-client). The
 * service has to get along with them.
 */
import { randomUUID } from 'node:crypto';
import { parse as parseYaml } from 'yaml';
import { addInstance, failNextMoves, removeInstance } from '../../../clouds/simulated/edit-fleet';
import type { Database } from '../../../prisma/database';
import { aTightZone, aZone, type Zone } from '../../builders/a-zone';
import { asPython } from '../../field-client/alarm';
import {
  type FieldClient,
  type Habits,
  type OwnCloud,
  plainHabits,
  proxyingHabits,
  startFieldClient,
} from '../../field-client/field-client';
import { startTelemetry, type Telemetry } from '../../field-client/telemetry';
import { eventually } from '../../waiting/eventually';
import { besideScalingClient } from '../rig/beside-field-client';
import { staySilent } from '../rig/manager';
import { type Stage, tellSideBySide } from '../rig/side-by-side';
import { testServices } from '../setup/services';

const { kafkaBrokers } = testServices();
const eventType = 'maintenance.scheduled';

const tight = aTightZone(0);
/** The project's instances beside one of another project. */
const shared = aZone(1, {
  hosts: { a: { slots: 6 }, b: { slots: 6 } },
  instances: [
    [1, 'a'],
    [2, 'b'],
    [3, 'b', { project: 2 }],
  ],
});

const { story, judgeTrace } = tellSideBySide({
  zones: [tight, shared],
  environment: {
    KAFKA_BROKERS: kafkaBrokers.join(','),
    PARLEY_EVENT_FORMAT: 'oslo',
    PARLEY_SERVICE_NAME: 'fenix',
    PARLEY_PROJECT_EVENT_TYPE: eventType,
    PARLEY_NACK_RETRIES: '3',
  },
});

/** Instances of a project in a zone: those that it gives up are made again where there is capacity. */
const inTheSimulatedCloud = (db: Database, zone: Zone, giveUp: readonly string[]): OwnCloud => {
  const projectId = zone.project(1);
  const left = [...giveUp];
  return {
    async ownInstanceIds() {
      const own = await db.simInstance.findMany({ where: { projectId }, select: { instanceId: true } });
      return own.map(({ instanceId }) => instanceId);
    },
    async scaleIn() {
      const next = left.shift();
      if (next !== undefined) await removeInstance(db, next);
    },
    async scaleOut() {
      const used = await db.simInstance.groupBy({ by: ['host'], where: { projectId }, _count: true });
      const countOn = (host: string): number => used.find((each) => each.host === host)?._count ?? 0;
      const [host] = zone.hostNames.toSorted((one, other) => countOn(one) - countOn(other));
      const { vcpus, memory_mb: memoryMb } = zone.slot;
      await addInstance(db, { host: host!, projectId, vcpus, memoryMb, moveSeconds: 20 });
    },
  };
};

interface Cast {
  readonly client: FieldClient;
  readonly telemetry: Telemetry;
  readonly close: () => Promise<void>;
}

/** The client and the telemetry of every story end with the file, however the story ends. */
const casts: Cast[] = [];
afterAll(() => Promise.all(casts.map(({ close }) => close())));

/** A client of the zone's first project, with the telemetry that wakes it. */
const cast = async (
  { rig, db }: Stage,
  zone: Zone,
  { habits, form, giveUp = [] }: { habits: Habits; form: 'python' | 'json'; giveUp?: readonly string[] },
): Promise<Cast> => {
  const projectId = zone.project(1);
  const cloud = inTheSimulatedCloud(db, zone, giveUp);
  const groupId = zone.group(1);
  const client = await startFieldClient({ serviceUrl: rig.url, projectId, groupId, cloud, habits, retryMs: 500 });
  const telemetry = await startTelemetry({
    brokers: kafkaBrokers,
    topic: 'notifications.info',
    group: `telemetry-${randomUUID()}`,
    eventType,
    subscriptions: [{ projectId, alarmUrl: client.alarmUrl, form }],
  });
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= telemetry.close().then(() => client.close()));
  casts.push({ client, telemetry, close });
  return { client, telemetry, close };
};

/** Hints that Python and YAML would not read alike if they came as they are in JSON. */
const metadata = { huge_pages: true, sriov: false, flavor: null, sizes: [1, null] };
const hint = { huge_pages: 1, sriov: 0, flavor: '', sizes: [1, ''] };

const failedCalls = ({ calls }: FieldClient) => calls.filter(({ status }) => status !== 200);

/** Waits until the manager has all events: the session is over before telemetry has posted the last alarm. */
const untilTold = ({ told }: FieldClient, state: string): Promise<true> =>
  eventually(`the client is told ${state}`, () => Promise.resolve(told.includes(state) || undefined));

story('vnf: one that keeps constraints, is busy, repeats itself and scales in twice', async (stage) => {
  const { admin } = stage;
  const giveUp = [tight.instance(4), tight.instance(2)];
  const habits = { ...proxyingHabits, evaluate: asPython };
  const { client, telemetry, close } = await cast(stage, tight, { habits, form: 'json', giveUp });
  stage.manage(tight.project(1), besideScalingClient(stage));
  await client.storeConstraints();
  const sessionId = await admin.create({ workflow: 'vnf', hosts: tight.hostNames, metadata });
  const { percent_done } = await admin.until(sessionId, 'MAINTENANCE_DONE');
  await untilTold(client, 'MAINTENANCE_COMPLETE');
  expect(percent_done).toBe(100);
  expect(client.told.filter((state) => state === 'SCALE_IN')).toHaveLength(2);
  expect(client.told.filter((state) => state === 'MAINTENANCE')).toHaveLength(2); // asked again after its NACK
  expect(client.told).toEqual(expect.arrayContaining(['INSTANCE_ACTION_DONE', 'MAINTENANCE_COMPLETE']));
  expect(client.failures).toEqual([]);
  expect(client.hints).toEqual(client.told.map(() => hint));
  const moves = await stage.db.simMove.findMany({ where: { source: { in: [...tight.hostNames] } } });
  expect(new Set(moves.map(({ action }) => action))).toEqual(new Set(['MIGRATE']));
  await client.deleteConstraints();
  await close();
  expect(failedCalls(client)).toEqual([]);
  expect(telemetry.unreadable).toEqual([]);
  expect(await stage.db.simInstance.count({ where: { projectId: tight.project(1) } })).toBe(4);
  const own = telemetry.notifications.filter(({ payload }) => payload['session_id'] === sessionId);
  expect(new Set(own.map(({ publisher_id, payload }) => `${publisher_id} ${String(payload['service'])}`))).toEqual(
    new Set(['fenix fenix']),
  );
  expect(new Set(own.map(({ event_type }) => event_type))).toEqual(
    new Set([eventType, 'maintenance.session', 'maintenance.host']),
  );
});

story('default: one that replies in its handler, checks its lists and does not know a fallback', async (stage) => {
  const { admin } = stage;
  const habits = { ...plainHabits, evaluate: (text: string): unknown => parseYaml(text) };
  const { client, close } = await cast(stage, shared, { habits, form: 'python' });
  stage.manage(shared.project(2), staySilent);
  await failNextMoves(stage.db, shared.instance(1), 1);
  const sessionId = await admin.create({ workflow: 'default', hosts: shared.hostNames, metadata });
  await admin.until(sessionId, 'MAINTENANCE_DONE');
  await untilTold(client, 'MAINTENANCE_COMPLETE');
  await close();
  expect(client.told.filter((state) => state === 'MAINTENANCE')).toHaveLength(1); // it agreed to the list
  expect(client.told.at(-1)).toBe('MAINTENANCE_COMPLETE');
  expect(client.failures).toEqual(['Error: unknown state INSTANCE_ACTION_FALLBACK']);
  expect(client.hints).toEqual(client.told.map(() => hint));
  expect(failedCalls(client)).toEqual([]);
});

story('the slip of a sample in the field is refused, and its field is named', async ({ admin }) => {
  const group = {
    project_id: tight.project(2),
    group_id: tight.group(2),
    group_name: 'slip',
    anti_affinity_group: false,
    max_instances_per_host: 0,
    max_impacted_members: 1,
    recovery_time: '60,',
    resource_mitigation: false,
  };
  const refused = await admin.call('PUT', `/instance_group/${tight.group(2)}/`, group);
  expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer: '/recovery_time' }] } });
});

judgeTrace();
