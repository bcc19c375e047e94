/**
 * A whole session of `k8s` on nodes that run: containers start and end, and the nodes reboot by the action plug-in
 * `reboot`. Their runtimes forget all containers at each boot, so a kubelet runs again what it may.
 */
import { nodes } from '../../clouds/kubernetes/objects/nodes';
import { anAdmin } from '../integration/rig/admin';
import { jobNamespace, testNodes } from './rig/addresses';
import { applicationsReady } from './rig/applications';
import { brokenIn, hosts, image, type SessionRig, startSessionRig } from './rig/session-rig';

let under: SessionRig;
beforeAll(async () => {
  hosts.forEach((node) => testNodes().forget(node));
  under = await startSessionRig();
});
afterAll(() => under.stop());

const actions = [
  {
    ...{ plugin: 'job', type: 'host' },
    metadata: { image, command: ['sh', '-c', 'echo "patched $MAINTENANCE_HOST"'] },
  },
  { plugin: 'reboot', type: 'host', metadata: { image } },
];

it('reboots each node once, within the budgets, and leaves none of its Jobs behind', async () => {
  const { rig, admin, budgets, boots } = under;
  const service = anAdmin(rig.url);
  const eviction = { local_data: 'delete' };
  const begunMs = performance.now();
  const sessionId = await service.create({ hosts, workflow: 'k8s', actions, eviction });
  const { action_plugin_instances: runs, state } = await service.until(
    sessionId,
    ...['MAINTENANCE_DONE', 'MAINTENANCE_FAILED'],
  );
  const seconds = (performance.now() - begunMs) / 1000;
  console.log(`${state} after ${seconds.toFixed(0)} s, ${await rig.db.kubernetesMove.count()} evictions`);
  const told = runs.map((run) => [run['hostname'], run['plugin'], run['state']]).sort();
  expect(told).toEqual(
    hosts.flatMap((host) => [
      [host, 'job', `patched ${host}`],
      [host, 'reboot', expect.stringMatching(/^rebooted: boot ID .* before, .* now$/)],
    ]),
  );
  await applicationsReady(admin);
  expect(boots.boots()).toEqual(Object.fromEntries(hosts.map((host) => [host, 2])));
  expect(boots.cordoned()).toEqual([]);
  expect(brokenIn(budgets)).toEqual([]);
  const { items: jobs } = (await admin.call({
    ...{ method: 'GET', path: `/apis/batch/v1/namespaces/${jobNamespace}/jobs` },
  })) as { readonly items: readonly { readonly status: { readonly succeeded?: number } }[] };
  // Those of `job`, for their output.
  expect(jobs.map(({ status }) => status.succeeded)).toEqual(hosts.map(() => 1));
  const { items } = await admin.list(nodes);
  expect(items.map(({ spec }) => spec.taints ?? [])).toEqual(hosts.map(() => []));
});
