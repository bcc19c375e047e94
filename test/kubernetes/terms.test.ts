/** Sessions over namespaces that say in annotations what they answer and when they may be impacted. */
import { nodes } from '../../clouds/kubernetes/objects/nodes';
import { namespaces } from '../../clouds/kubernetes/objects/others';
import { weekdays } from '../../rules/maintenance-windows/maintenance-window';
import { anAdmin } from '../integration/rig/admin';
import { acknowledge, startManager } from '../integration/rig/manager';
import { type Rig, startRig } from '../integration/rig/rig';
import { testKubernetes } from './rig/addresses';
import { serviceEnvironment } from './rig/driver-under-test';
import { makeDeployment, makeNamespace, makeNodes, runningPods } from './rig/operator';
import { clientOf } from './rig/start-kubernetes';

const hosts = ['terms-1', 'terms-2'];
const taint = { key: 'terms.test/only', effect: 'NoSchedule' };
const onOwnNodes = { nodeSelector: { pool: 'terms' }, tolerations: [{ key: taint.key, operator: 'Exists' }] };

let admin: ReturnType<typeof clientOf>;
let rig: Rig;

beforeAll(async () => {
  admin = clientOf(testKubernetes().adminKubeconfig);
  await makeNodes(admin, ...hosts.map((name) => ({ name, labels: { pool: 'terms' }, taints: [taint] })));
  rig = await startRig({ environment: serviceEnvironment() });
});

afterAll(async () => {
  await rig.stop();
  for (const name of hosts) await admin.delete(nodes, { name });
  await admin.close();
});

const annotate = (name: string, terms: object) => {
  const annotations = { 'parley.maintenance/terms': JSON.stringify(terms) };
  return admin.patch(namespaces, { name }, { patch: { metadata: { annotations } }, type: 'merge' });
};

/** @returns the ID of the project */
const anAppIn = async (namespace: string, terms: object): Promise<string> => {
  const projectId = await makeNamespace(admin, namespace);
  await annotate(namespace, terms);
  await makeDeployment(admin, { name: 'app', namespace, replicas: 2, spec: onOwnNodes });
  await runningPods(admin, { name: 'app', namespace, replicas: 2 });
  return projectId;
};

it('a namespace answers all questions by its annotation, and nobody waits for it', async () => {
  const answers = { MAINTENANCE: 'ACK', PLANNED_MAINTENANCE: 'ACK', SCALE_IN: 'NACK', MAINTENANCE_COMPLETE: 'ACK' };
  const projectId = await anAppIn('terms-answer', { ask: 'never', answers });
  const service = anAdmin(rig.url);
  const sessionId = await service.create({ hosts, workflow: 'vnf' });
  await service.until(sessionId, 'MAINTENANCE_DONE');
  const questions = await rig.db.question.findMany({ where: { sessionId, projectId } });
  const states = new Set(questions.map(({ state }) => state));
  expect([...states]).toEqual(expect.arrayContaining(['MAINTENANCE', 'MAINTENANCE_COMPLETE']));
  expect(questions.filter(({ answeredBy, status }) => answeredBy !== 'terms' || status !== 'answered')).toEqual([]);
  expect(questions.filter(({ askedAt, answeredAt }) => askedAt !== null && answeredAt! > askedAt)).toEqual([]);
});

it('the hours of an annotation hold an eviction back, and a changed annotation lets it go', async () => {
  const inTwoDays = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
  const namespace = 'terms-hours';
  const projectId = await anAppIn(namespace, { hours: [{ dates: [inTwoDays], time_zone: 'UTC' }] });
  const manager = startManager({ url: rig.url, projectId, policy: acknowledge });
  const service = anAdmin(rig.url);
  const sessionId = await service.create({ hosts, workflow: 'vnf' });
  const waits = await service.untilReason(sessionId, ({ waiting_for }) => waiting_for === 'owner_time');
  expect(waits).toMatchObject({ owner: 'project', subject_id: projectId });
  const moves = () => rig.db.claim.findMany({ where: { sessionId, projectId, startedAt: { not: null } } });
  expect(await moves()).toEqual([]);
  await annotate(namespace, { hours: [{ days: weekdays, time_zone: 'UTC' }] });
  await service.until(sessionId, 'MAINTENANCE_DONE');
  manager.stop();
  expect((await moves()).length).toBeGreaterThan(0);
});
