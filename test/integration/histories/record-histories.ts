/**
 * Records a history of each workflow's main paths into test/histories, from sessions on the real stack. They are what
 * test/unit/workflows/replay.test.ts replays: record anew only when a shipped version has new paths, and keep the old
 * ones for as long as runs of theirs may exist.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { removeInstance } from '../../../clouds/simulated/edit-fleet';
import { cleanupWorkflowId, hostWorkflowId, webhookDeliveriesId } from '../../../temporal/workflow-messages';
import { aFleetFile, aFleetGroup, aFleetHost, aFleetInstance, uuidNumber } from '../../builders/a-fleet-file';
import { aZip } from '../../builders/a-zip';
import { eventually } from '../../waiting/eventually';
import { continueFailed, untilDone, untilFailed, untilIt } from '../continue/continued-session';
import { type PackageRig, startPackageRig } from '../downloads/package-rig';
import { request } from '../requests/requests';
import type { Admin } from '../rig/admin';
import { type Manager, type Policy, startManager } from '../rig/manager';
import type { Rig } from '../rig/rig';
import { type Receiver, startReceiver } from '../webhooks/receiver';
import { compactHistory } from './compact-history';

const folder = path.join(__dirname, '..', '..', 'histories');

const mover = uuidNumber(901);
const scaler = uuidNumber(902);
const ownActor = uuidNumber(2);

const tiny = { vcpus: 1, memory_mb: 1, maintenance_s: 20 };
const small = { vcpus: 4, memory_mb: 8192, maintenance_s: 20 };
/** A host on which no instance of the others fits. */
const deep = { vcpus: 0, memory_mb: 16_384, maintenance_s: 20 };

/** Hosts for the instances of `vnf`, which fit on no others. */
const wide = { vcpus: 16, memory_mb: 1, maintenance_s: 20 };
const wideOnly = { vcpus: 8, memory_mb: 0 };
const pair = uuidNumber(501);
const inPair = {
  group_id: pair,
  migration_type: 'LIVE_MIGRATE',
  max_interruption_time: 10,
  resource_mitigation: false,
} as const;

const hostsOf = (name: string) => [`${name}-1`, `${name}-2`];
const hosts = (name: string, size: object) => hostsOf(name).map((host) => aFleetHost({ name: host, ...size }));

const instance = (number: number, given: object) =>
  aFleetInstance({ instance_id: uuidNumber(number), instance_name: `vm-${number}`, move_s: 30, ...given });

const fleet = aFleetFile({
  hosts: [
    ...hosts('done', small),
    ...hosts('failed', tiny),
    ...hosts('deleted', tiny),
    ...hosts('buried', tiny),
    ...hosts('paused', tiny),
    ...hosts('aborted', tiny),
    ...hosts('packaged', tiny),
    ...hosts('waiting', tiny),
    ...hosts('moved', tiny),
    ...hosts('told', tiny),
    ...hosts('scaled', deep),
    ...hosts('vnf', wide),
    aFleetHost({ name: 'vnf-3', ...wide }),
  ],
  groups: [
    aFleetGroup({
      group_id: pair,
      project_id: mover,
      anti_affinity_group: false,
      max_impacted_members: 1,
      recovery_time: 1,
    }),
  ],
  instances: [
    instance(1, { project_id: mover, host: 'done-2', fail_moves: 1 }),
    instance(2, { project_id: mover, host: 'done-2' }),
    // One instance has a question with an answer, and the other has no question. Both move twice, once by force.
    instance(5, { project_id: mover, host: 'vnf-1', ...wideOnly, ...inPair, lead_time: 20, fail_moves: 1 }),
    instance(6, { project_id: mover, host: 'vnf-2', ...wideOnly, ...inPair, lead_time: 0 }),
    instance(7, { project_id: mover, host: 'waiting-1', vcpus: 1, memory_mb: 1 }),
    ...[3, 4].map((n) => instance(n, { project_id: scaler, host: `scaled-${n - 2}`, vcpus: 0, memory_mb: 10_000 })),
  ],
});

const actsItself: Policy = async (event, manager) => {
  const isAbout = event.state.startsWith('PLANNED') && (await manager.instancesOf(event)).includes(ownActor);
  return { answer: 'ACK', actions: isAbout ? { [ownActor]: 'OWN_ACTION' } : {} };
};

const scalesIn: Policy = async ({ state }) => {
  if (state === 'SCALE_IN') await removeInstance(rig.db, 'vm-4');
  return { answer: 'ACK' };
};

let packages: PackageRig;
let rig: Rig;
let admin: Admin;
let managers: readonly Manager[];
let receiver: Receiver;

beforeAll(async () => {
  await mkdir(folder, { recursive: true });
  receiver = await startReceiver();
  packages = await startPackageRig({ fleet, environment: { PARLEY_WEBHOOK_ALLOW: receiver.url } });
  ({ rig, admin } = packages);
  managers = [
    startManager({ url: rig.url, projectId: mover, policy: actsItself }),
    startManager({ url: rig.url, projectId: scaler, policy: scalesIn }),
  ];
});
afterAll(async () => {
  for (const manager of managers) manager.stop();
  await packages.stop();
  await receiver.close();
});

const action = (type: string, metadata: object = {}) => ({ plugin: 'dummy', type, metadata });

/** @param runId left out: the last of its runs */
const record = async (name: string, workflowId: string, runId?: string): Promise<void> => {
  const history = await rig.client.workflow.getHandle(workflowId, runId).fetchHistory();
  await writeFile(path.join(folder, `${name}.json`), compactHistory(history));
};

const closed = (workflowId: string) =>
  eventually(`workflow ${workflowId} is closed`, async () => {
    const { status } = await rig.client.workflow.getHandle(workflowId).describe();
    return status.name === 'RUNNING' ? undefined : true;
  });

const gone = (sessionId: string) =>
  eventually(`session ${sessionId} is gone`, async () => {
    const { status } = await admin.call('GET', `/maintenance/${sessionId}`);
    return status === 404 ? true : undefined;
  });

it('a session that is done, with a forced move and an own action', async () => {
  const actions = [action('pre'), action('host'), action('post')];
  const sessionId = await admin.create({ hosts: hostsOf('done'), actions });
  await untilDone(admin, sessionId);
  await closed(sessionId);
  await record('session-done', sessionId);
  await record('host-fallback-and-own-action', hostWorkflowId(sessionId, 'done-2'));
});

it('a session that fails and is resumed', async () => {
  const actions = [action('host', { seconds: 2, fail_times: 1 })];
  const sessionId = await admin.create({ hosts: hostsOf('failed'), actions });
  await untilFailed(admin, sessionId);
  await closed(sessionId);
  await record('session-failed', sessionId);
  await record('host-failed', hostWorkflowId(sessionId, 'failed-1'));
  await continueFailed(admin, sessionId);
  await untilDone(admin, sessionId);
  await closed(sessionId);
  await record('session-resumed', sessionId);
});

it('a session that is deleted while a plug-in runs', async () => {
  const sessionId = await admin.create({ hosts: hostsOf('deleted'), actions: [action('host', { seconds: 600 })] });
  await untilIt(admin, { sessionId, what: 'rolls' }, ({ state }) => state === 'PLANNED_MAINTENANCE');
  await admin.call('DELETE', `/maintenance/${sessionId}`);
  await gone(sessionId);
  await closed(sessionId);
  await record('session-deleted', sessionId);
  await record('host-aborted', hostWorkflowId(sessionId, 'deleted-1'));
});

it('a failed session that is deleted', async () => {
  const actions = [action('host', { seconds: 1, fail_times: 1 })];
  const sessionId = await admin.create({ hosts: hostsOf('buried'), actions });
  await untilFailed(admin, sessionId);
  await closed(sessionId);
  await admin.call('DELETE', `/maintenance/${sessionId}`);
  await gone(sessionId);
  await closed(cleanupWorkflowId(sessionId));
  await record('cleanup-deleted', cleanupWorkflowId(sessionId));
});

it('a session whose workflow was terminated', async () => {
  const sessionId = await admin.create({ hosts: hostsOf('buried'), actions: [action('host', { seconds: 2 })] });
  await untilIt(admin, { sessionId, what: 'rolls' }, ({ state }) => state === 'PLANNED_MAINTENANCE');
  await rig.client.workflow.getHandle(sessionId).terminate('by hand');
  await untilFailed(admin, sessionId);
  await closed(cleanupWorkflowId(sessionId));
  await record('cleanup-failed', cleanupWorkflowId(sessionId));
});

it('a session with SCALE_IN', async () => {
  const sessionId = await admin.create({ hosts: hostsOf('scaled') });
  await untilDone(admin, sessionId);
  await closed(sessionId);
  await record('session-scaled-in', sessionId);
});

it('the deliveries of a session to a webhook that fails at first', async () => {
  let failures = 1;
  receiver.answer = () => ({ status: (failures -= 1) < 0 ? 200 : 503 });
  const { body } = await admin.call('POST', '/webhooks', { url: receiver.url });
  const { id: webhookId } = body as { id: string };
  const sessionId = await admin.create({ hosts: hostsOf('told'), actions: [action('host', { seconds: 5 })] });
  await untilDone(admin, sessionId);
  const workflowId = webhookDeliveriesId({ webhookId, sessionId });
  await closed(workflowId);
  await record('webhook-deliveries', workflowId);
  await admin.call('DELETE', `/webhooks/${webhookId}`);
});

it('a session of vnf, which goes through several hosts at once, and one of its hosts', async () => {
  const hosts = [...hostsOf('vnf'), 'vnf-3'];
  const sessionId = await admin.create({ workflow: 'vnf', hosts, actions: [action('host')] });
  await untilDone(admin, sessionId);
  await closed(sessionId);
  await record('vnf-session-done', sessionId);
  await record('vnf-host-asked', hostWorkflowId(sessionId, 'vnf-1'));
});

it('a session that is paused in one pre plug-in, and resumed before the next', async () => {
  const actions = [action('pre', { seconds: 5 }), action('pre'), action('host')];
  const sessionId = await admin.create({ hosts: hostsOf('paused'), actions });
  const about = { sessionId, what: 'runs its first plug-in' };
  await untilIt(admin, about, ({ action_plugin_instances: records }) => records.length > 0);
  await request(admin, sessionId, 'pause');
  await eventually('the next plug-in has been put off', async () => {
    const { events = [] } = await rig.client.workflow.getHandle(sessionId).fetchHistory();
    const begun = events?.filter(
      (event) => event.activityTaskScheduledEventAttributes?.activityType?.name === 'runPlugin',
    );
    return begun?.length === 2 || undefined;
  });
  await request(admin, sessionId, 'resume');
  await untilDone(admin, sessionId);
  await closed(sessionId);
  await record('session-paused', sessionId);
});

it('a session that is aborted while a plug-in runs', async () => {
  const sessionId = await admin.create({ hosts: hostsOf('aborted'), actions: [action('host', { seconds: 600 })] });
  await untilIt(admin, { sessionId, what: 'rolls' }, ({ state }) => state === 'PLANNED_MAINTENANCE');
  await request(admin, sessionId, 'abort');
  await untilFailed(admin, sessionId);
  await closed(sessionId);
  await record('session-aborted', sessionId);
});

it('a session that is woken by an answer while it waits for its start', async () => {
  const maintenanceAtMs = Date.now() + 60_000;
  const maintenance_at = new Date(maintenanceAtMs).toISOString();
  const sessionId = await admin.create({ hosts: hostsOf('waiting'), maintenance_at });
  const events = async () => (await rig.client.workflow.getHandle(sessionId).fetchHistory()).events ?? [];
  await eventually('it waits for its start', async () =>
    (await events()).some((event) => {
      const seconds = Number(event.timerStartedEventAttributes?.startToFireTimeout?.seconds ?? 0);
      const startsAtMs = Number(event.eventTime?.seconds ?? 0) * 1_000 + seconds * 1_000;
      return Math.abs(startsAtMs - maintenanceAtMs) < 3_000;
    })
      ? true
      : undefined,
  );
  await admin.call('PUT', `/maintenance/${sessionId}/${mover}`, { state: 'ACK_MAINTENANCE' });
  await untilDone(admin, sessionId);
  await closed(sessionId);
  await record('session-woken-before-start', sessionId);
});

it('a session whose start is moved while it waits for it', async () => {
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
  const sessionId = await admin.create({ hosts: hostsOf('moved'), maintenance_at: inAnHour });
  await eventually('it waits for its start', async () => {
    const { events } = await rig.client.workflow.getHandle(sessionId).fetchHistory();
    const looks = (events ?? []).some(
      ({ activityTaskScheduledEventAttributes: scheduled }) => scheduled?.activityType?.name === 'lookAtStart',
    );
    return looks ? true : undefined;
  });
  await admin.call('PATCH', `/maintenance/${sessionId}`, { maintenance_at: new Date().toISOString() });
  await untilDone(admin, sessionId);
  await closed(sessionId);
  await record('session-start-moved', sessionId);
});

it('a session whose packages bring its workflow: its set-up, and its run on a queue of its own', async () => {
  const content = await readFile(path.join(folder, 'own-workflow.cjs'));
  packages.server.serve('/workflow.zip', aZip([{ name: 'own.cjs', content }]));
  const sessionId = await admin.create({
    hosts: hostsOf('packaged'),
    workflow: 'own',
    download: [`${packages.server.url}/workflow.zip`],
    actions: [action('pre'), action('host'), action('post')],
  });
  await untilDone(admin, sessionId);
  await closed(sessionId);
  const { raw } = await rig.client.workflow.getHandle(sessionId).describe();
  const firstRunId = raw.workflowExecutionInfo!.firstRunId!;
  await record('session-packaged-set-up', sessionId, firstRunId);
  await record('session-packaged', sessionId);
});

it('a sweeper', async () => {
  const workflowId = await eventually('a sweeper runs', async () => {
    for await (const { workflowId } of rig.client.workflow.list({ query: "WorkflowType = 'sweep'" })) return workflowId;
    return undefined;
  });
  await record('sweep', workflowId);
});
