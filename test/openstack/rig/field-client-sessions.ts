/**
 * The tests of managers as they exist in the field (test/field-client) on a real Nova: one that keeps constraints, is
 * busy, repeats itself and scales in twice, since no host can be drained before; then one that replies in its handler.
 */
import { randomUUID } from 'node:crypto';
import { asPython } from '../../field-client/alarm';
import {
  type FieldClient,
  type Habits,
  plainHabits,
  proxyingHabits,
  startFieldClient,
} from '../../field-client/field-client';
import { startTelemetry, type Subscription, type Telemetry } from '../../field-client/telemetry';
import { anAdmin } from '../../integration/rig/admin';
import { besideScalingClient } from '../../integration/rig/beside-field-client';
import { type PlannedEvent, startManager } from '../../integration/rig/manager';
import { endReplyWindowOf } from '../../integration/rig/reply-windows';
import { type Rig, startRig } from '../../integration/rig/rig';
import { testServices } from '../../integration/setup/services';
import { openStackEnvironment } from './driver-under-test';
import { emptyCloud } from './empty-cloud';
import { deleteServer, enableOnly, listServers, makeServer, makeServers, projectIdOf, until } from './operator';
import { addHost } from './switches';

const { kafkaBrokers } = testServices();
const eventType = 'maintenance.scheduled';

export interface FieldClientSessions {
  readonly workflow: string;
  /** Each file its own: all hear of the events on one topic, and a client is told those of its project. */
  readonly project: string;
}

/** Nova keeps 512 MB of a host for itself: two servers fit on each. */
const hosts = ['field-1', 'field-2'];
const size = { vcpus: 2, memory_mb: 512 + 2 * 1024 };

const hostsOfServers = async (): Promise<readonly (string | null)[]> =>
  (await listServers()).map((server) => server['OS-EXT-SRV-ATTR:host']);

const failedCalls = ({ calls }: FieldClient) => calls.filter(({ status }) => status !== 200);

export const describeFieldClientSessions = ({ workflow, project }: FieldClientSessions): void => {
  const cloud = {
    ownInstanceIds: async () => (await listServers()).map(({ id }) => id),
    async scaleIn() {
      const [last] = (await listServers()).filter(({ status }) => status === 'ACTIVE');
      await deleteServer(last!.id);
    },
    async scaleOut() {
      const used = await hostsOfServers();
      const countOn = (host: string): number => used.filter((each) => each === host).length;
      const [host] = hosts.toSorted((one, other) => countOn(one) - countOn(other));
      await makeServer({ name: 'scaled-out', host: host!, project });
    },
  };

  let rig: Rig;
  let telemetry: Telemetry;
  /** For the client of the running session: it hears nothing of earlier sessions. */
  const subscriptions: Subscription[] = [];

  beforeAll(async () => {
    for (const host of hosts) await addHost(host, size);
    const group = `telemetry-${randomUUID()}`;
    const topic = 'notifications.info';
    telemetry = await startTelemetry({ brokers: kafkaBrokers, topic, group, eventType, subscriptions });
    rig = await startRig({
      environment: {
        ...openStackEnvironment(),
        KAFKA_BROKERS: kafkaBrokers.join(','),
        PARLEY_EVENT_FORMAT: 'oslo',
        PARLEY_SERVICE_NAME: 'fenix',
        PARLEY_PROJECT_EVENT_TYPE: eventType,
        PARLEY_NACK_RETRIES: '3',
        PARLEY_LIVE_MOVE_SECONDS: '60',
        PARLEY_MOVE_SECONDS: '60',
      },
    });
  });
  afterAll(async () => {
    await telemetry.close();
    await rig.stop();
  });

  beforeEach(async () => {
    await emptyCloud();
    await until('the hosts of the test are there', async () => {
      await enableOnly(hosts);
      return true;
    });
  });

  /** Runs a session with a client, until it has been told that all is over. */
  const maintainWith = async (habits: Omit<Habits, 'evaluate'>): Promise<FieldClient> => {
    const projectId = await projectIdOf(project);
    const given = { serviceUrl: rig.url, projectId, groupId: randomUUID(), cloud, retryMs: 500 };
    const client = await startFieldClient({ ...given, habits: { ...habits, evaluate: asPython } });
    subscriptions.push({ projectId, alarmUrl: client.alarmUrl, form: 'python' });
    try {
      await client.storeConstraints();
      const admin = anAdmin(rig.url);
      const sessionId = await admin.create({ workflow, hosts });
      await admin.until(sessionId, 'MAINTENANCE_DONE');
      await until('the client is told the end', () =>
        Promise.resolve(client.told.includes('MAINTENANCE_COMPLETE') ? true : undefined),
      );
      await client.deleteConstraints();
    } finally {
      subscriptions.pop();
      await client.close();
    }
    expect(telemetry.unreadable).toEqual([]);
    return client;
  };

  describe(`in ${workflow}`, () => {
    it('a client that keeps constraints scales in twice, migrates, and scales out again', async () => {
      await makeServers([0, 1, 2, 3].map((number) => ({ name: `vnf-${number}`, host: hosts[number % 2]!, project })));
      const endWindow = ({ message_id: messageId }: PlannedEvent) => endReplyWindowOf(rig, messageId);
      const given = { url: rig.url, projectId: await projectIdOf(project), endWindow };
      const beside = startManager({ ...given, policy: besideScalingClient(rig) });
      const client = await maintainWith(proxyingHabits).finally(() => beside.stop());
      expect(client.failures).toEqual([]);
      expect(client.told.filter((state) => state === 'SCALE_IN')).toHaveLength(2);
      expect(client.told).toEqual(expect.arrayContaining(['INSTANCE_ACTION_DONE', 'MAINTENANCE_COMPLETE']));
      expect(failedCalls(client)).toEqual([]);
      expect(await listServers()).toHaveLength(4);
    });

    it('a client without constraints migrates live, and nothing is lost', async () => {
      await makeServers(hosts.map((host) => ({ name: `vnf-on-${host}`, host, project })));
      const client = await maintainWith(plainHabits);
      expect(client.failures).toEqual([]);
      expect(client.told).not.toContain('SCALE_IN');
      expect(client.told.at(-1)).toBe('MAINTENANCE_COMPLETE');
      expect(failedCalls(client)).toEqual([]);
      expect((await listServers()).map(({ status }) => status)).toEqual(['ACTIVE', 'ACTIVE']);
    });
  });
};
