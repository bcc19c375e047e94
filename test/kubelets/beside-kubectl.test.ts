/**
 * The same nodes by `kubectl drain`, a reboot and `kubectl uncordon`, node after node, and by one session. Prints what
 * each way takes; the verdict is on budgets and boots alone.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { isReady, nodes } from '../../clouds/kubernetes/objects/nodes';
import { anAdmin } from '../integration/rig/admin';
import { testKubernetes } from '../kubernetes/rig/addresses';
import { kubectlProgram } from '../kubernetes/rig/programs';
import { eventually } from '../waiting/eventually';
import { testNodes } from './rig/addresses';
import { applicationsReady } from './rig/applications';
import { brokenIn, hosts, image, type SessionRig, startSessionRig } from './rig/session-rig';

let under: SessionRig;
beforeAll(async () => {
  under = await startSessionRig();
});
afterAll(() => under.stop());

const untilRebooted = (node: string, before: number) =>
  eventually(`${node} is Ready after its reboot`, async () => {
    const found = (await under.admin.list(nodes)).items.find(({ metadata }) => metadata.name === node);
    return ((under.boots.boots()[node] ?? 0) > before && found !== undefined && isReady(found)) || undefined;
  });

/** @returns the number of evictions */
const byKubectl = async (): Promise<number> => {
  const kubectl = await kubectlProgram();
  const tell = async (...args: readonly string[]): Promise<string> => {
    const all = ['--kubeconfig', testKubernetes().adminKubeconfig, ...args];
    return (await promisify(execFile)(kubectl, all)).stdout;
  };
  let evictions = 0;
  for (const node of hosts) {
    const before = under.boots.boots()[node] ?? 0;
    const said = await tell('drain', node, '--ignore-daemonsets', '--delete-emptydir-data');
    evictions += said.match(/^pod\/\S+ evicted$/gm)?.length ?? 0;
    testNodes().reboot(node);
    await untilRebooted(node, before);
    await tell('uncordon', node);
  }
  return evictions;
};

const bySession = async (): Promise<number> => {
  const service = anAdmin(under.rig.url);
  const actions = [{ plugin: 'reboot', type: 'host', metadata: { image } }];
  const request = { hosts, workflow: 'k8s', actions, eviction: { local_data: 'delete' } };
  const start = { state: 'MAINTENANCE', maintenance_at: '2026-01-01 00:00:00', metadata: {} };
  const { body } = await service.call('POST', '/maintenance/plan', { ...start, ...request });
  console.log('planned seconds', (body as { readonly seconds_left: unknown }).seconds_left);
  const before = await under.rig.db.kubernetesMove.count();
  await service.until(await service.create(request), 'MAINTENANCE_DONE');
  return (await under.rig.db.kubernetesMove.count()) - before;
};

it.each([
  { way: 'kubectl, node after node', maintain: byKubectl },
  { way: 'a session', maintain: bySession },
  { way: 'a second session, which knows the times of the first', maintain: bySession },
])('$way', async ({ way, maintain }) => {
  await applicationsReady(under.admin);
  const before = under.boots.boots();
  const begunMs = performance.now();
  const evictions = await maintain();
  console.log(`${way}: ${((performance.now() - begunMs) / 1000).toFixed(0)} s, ${evictions} evictions`);
  await applicationsReady(under.admin);
  expect(under.boots.boots()).toEqual(Object.fromEntries(hosts.map((host) => [host, (before[host] ?? 0) + 1])));
  expect(brokenIn(under.budgets)).toEqual([]);
});
