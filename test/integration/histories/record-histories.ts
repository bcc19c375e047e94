/**
 * Records a history of each workflow into test/histories, from sessions on the real stack. They are what
 * test/unit/workflows/replay.test.ts replays. Before a change, record here the path that it changes
 * (docs/design/versions.md).
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { cleanupWorkflowId, hostWorkflowId, webhookDeliveriesId } from '../../../temporal/workflow-messages';
import { aFleetFile, aFleetHost, aFleetInstance, uuidNumber } from '../../builders/a-fleet-file';
import { aZip } from '../../builders/a-zip';
import { eventually } from '../../waiting/eventually';
import { untilDone, untilFailed, untilIt } from '../continue/continued-session';
import { type PackageRig, startPackageRig } from '../downloads/package-rig';
import type { Admin } from '../rig/admin';
import { type Manager, type Policy, startManager } from '../rig/manager';
import type { Rig } from '../rig/rig';
import { type Receiver, startReceiver } from '../webhooks/receiver';
import { compactHistory } from './compact-history';

const folder = path.join(__dirname, '..', '..', 'histories');

const mover = uuidNumber(901);
const ownActor = uuidNumber(2);

const tiny = { vcpus: 1, memory_mb: 1, maintenance_s: 20 };
const small = { vcpus: 4, memory_mb: 8192, maintenance_s: 20 };

const hostsOf = (name: string) => [`${name}-1`, `${name}-2`];
const hosts = (name: string, size: object) => hostsOf(name).map((host) => aFleetHost({ name: host, ...size }));

const instance = (number: number, given: object) => {
  const common = { project_id: mover, host: 'done-2', move_s: 30 };
  return aFleetInstance({ instance_id: uuidNumber(number), instance_name: `vm-${number}`, ...common, ...given });
};

const fleet = aFleetFile({
  hosts: [...hosts('done', small), ...['buried', 'packaged', 'told'].flatMap((name) => hosts(name, tiny))],
  instances: [instance(1, { fail_moves: 1 }), instance(2, {})],
});

const actsItself: Policy = async (event, manager) => {
  const isAbout = event.state.startsWith('PLANNED') && (await manager.instancesOf(event)).includes(ownActor);
  return { answer: 'ACK', actions: isAbout ? { [ownActor]: 'OWN_ACTION' } : {} };
};

let packages: PackageRig;
let rig: Rig;
let admin: Admin;
let manager: Manager;
let receiver: Receiver;

beforeAll(async () => {
  await mkdir(folder, { recursive: true });
  receiver = await startReceiver();
  packages = await startPackageRig({ fleet, environment: { PARLEY_WEBHOOK_ALLOW: receiver.url } });
  ({ rig, admin } = packages);
  manager = startManager({ url: rig.url, projectId: mover, policy: actsItself });
});
afterAll(async () => {
  manager.stop();
  await packages.stop();
  await receiver.close();
});

const action = (type: string, metadata: object = {}) => ({ plugin: 'dummy', type, metadata });

/** Records the last of its runs. */
const record = async (name: string, workflowId: string): Promise<void> => {
  const history = await rig.client.workflow.getHandle(workflowId).fetchHistory();
  await writeFile(path.join(folder, `${name}.json`), compactHistory(history));
};

const closed = (workflowId: string) =>
  eventually(`workflow ${workflowId} is closed`, async () => {
    const { status } = await rig.client.workflow.getHandle(workflowId).describe();
    return status.name === 'RUNNING' ? undefined : true;
  });

it('a session that is done, with a forced move and an own action', async () => {
  const actions = [action('pre'), action('host'), action('post')];
  const sessionId = await admin.create({ hosts: hostsOf('done'), actions });
  await untilDone(admin, sessionId);
  await closed(sessionId);
  await record('session', sessionId);
  await record('host', hostWorkflowId(sessionId, 'done-2'));
});

it('a session whose workflow was terminated', async () => {
  const sessionId = await admin.create({ hosts: hostsOf('buried'), actions: [action('host', { seconds: 2 })] });
  await untilIt(admin, { sessionId, what: 'rolls' }, ({ state }) => state === 'PLANNED_MAINTENANCE');
  await rig.client.workflow.getHandle(sessionId).terminate('by hand');
  await untilFailed(admin, sessionId);
  await closed(cleanupWorkflowId(sessionId));
  await record('cleanup', cleanupWorkflowId(sessionId));
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
  // The first of its runs sets it up; this is the one on its own queue.
  await record('session-packaged', sessionId);
});

it('a sweeper', async () => {
  const workflowId = await eventually('a sweeper runs', async () => {
    for await (const { workflowId } of rig.client.workflow.list({ query: "WorkflowType = 'sweep'" })) return workflowId;
    return undefined;
  });
  await record('sweep', workflowId);
});
