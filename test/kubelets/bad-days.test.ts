/** What goes wrong with nodes in a session: a cable that is pulled, a power cut, a node that stays dark. */
import { isReady, nodes } from '../../clouds/kubernetes/objects/nodes';
import { type Admin, anAdmin } from '../integration/rig/admin';
import { eventually } from '../waiting/eventually';
import { testNodes } from './rig/addresses';
import { applicationsReady } from './rig/applications';
import { brokenIn, hosts, image, type SessionRig, startSessionRig } from './rig/session-rig';

let under: SessionRig;
beforeAll(async () => {
  under = await startSessionRig();
});
afterAll(() => under.stop());

/** Waits until one of the session's hosts that were not met yet is in that phase. */
const createNextIn =
  (service: Admin, sessionId: string) =>
  (phase: string, met: readonly string[] = []): Promise<string> =>
    eventually(`a host is ${phase}`, async () => {
      const { hosts: all } = await service.detail(sessionId);
      const found = all.find((host) => host['phase'] === phase && !met.includes(String(host['hostname'])));
      return found && String(found['hostname']);
    });

it('names a node that falls silent in its drain, and goes on after power cuts', async () => {
  const { rig, admin, budgets, boots } = under;
  const [service, power] = [anAdmin(rig.url), testNodes()];
  const actions = [{ plugin: 'reboot', type: 'host', metadata: { image } }];
  const eviction = { local_data: 'delete' };
  const sessionId = await service.create({ hosts, workflow: 'k8s', actions, eviction, max_parallel_hosts: 1 });
  const nextIn = createNextIn(service, sessionId);
  const silent = await nextIn('emptying');
  power.unplug(silent);
  const reason = await service.untilReason(
    sessionId,
    ({ who, waiting_for }) => who === silent && waiting_for === 'start',
  );
  expect(reason.because).toContain('the host is silent');
  power.plug(silent);
  const cut = await nextIn('emptying', [silent]);
  expect(brokenIn(budgets)).toEqual([]);
  power.cut(cut);
  const dark = await nextIn('maintaining', [silent, cut]);
  power.powerOff(dark);
  await eventually('the node is not Ready', async () => {
    const node = await admin.get(nodes, { name: dark });
    return (node && !isReady(node)) || undefined;
  });
  power.powerOn(dark);
  await service.until(sessionId, 'MAINTENANCE_DONE');
  await applicationsReady(admin);
  expect(boots.cordoned()).toEqual([]);
  expect(boots.boots()[silent]).toBe(2);
  expect(boots.boots()[cut]).toBe(3);
});
