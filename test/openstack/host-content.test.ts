/** On a real Nova nothing counts as empty or back that is not: ways back, and hosts that do not come up again. */
import type { ActionPlugin } from '../../plugins/actions/action-plugin';
import { type Admin, anAdmin } from '../integration/rig/admin';
import { type Rig, startRig } from '../integration/rig/rig';
import { openStackEnvironment } from './rig/driver-under-test';
import { type FaultyService, openFaultyNova } from './rig/faulty-nova';
import { withoutField } from './rig/odd-server';
import { actOn, listComputes, makeServer, switchCompute, until, untilSettled } from './rig/operator';
import { keepSilent } from './rig/silent-projects';
import { startCompute, stopCompute } from './rig/switches';

/** What a reboot does while it lasts. */
const goesDown: ActionPlugin = {
  name: 'goes-down',
  async run({ host }) {
    await stopCompute(host!.name);
    await until(`${host!.name} is down`, () => isInState(host!.name, 'down'));
    return { state: null };
  },
};

/** What Masakari does during a reboot: it takes the host for failed. */
const disabledByOthers: ActionPlugin = {
  name: 'disabled-by-others',
  async run({ host, metadata }) {
    await switchCompute(await computeOf(host!.name), {
      status: 'disabled',
      disabled_reason: String(metadata['reason']),
    });
    return { state: null };
  },
};

const computeOf = async (name: string) => (await listComputes()).find(({ host }) => host === name)!;
const isInState = async (name: string, wanted: string): Promise<true | undefined> =>
  (await computeOf(name)).state === wanted || undefined;

let rig: Rig;
let admin: Admin;
let nova: FaultyService;
beforeAll(async () => {
  nova = await openFaultyNova();
  rig = await startRig({
    environment: {
      ...openStackEnvironment(),
      OS_COMPUTE_ENDPOINT_OVERRIDE: nova.url,
      PARLEY_UNDO_DISABLED_REASONS: 'rack monitoring:',
    },
    actionPlugins: [goesDown, disabledByOthers],
  });
  admin = anAdmin(rig.url);
});
afterAll(async () => {
  await rig.stop();
  await nova.close();
  for (const host of ['compute-3', 'compute-4']) await startCompute(host);
});

it('a host with a server of which Nova tells too little waits with that reason, and the others go on', async () => {
  const endSilence = await keepSilent(rig);
  const server = await makeServer({ name: 'odd', host: 'compute-6' });
  const { match, misfortune } = withoutField('flavor', server.id);
  nova.answerAlways(match, misfortune);
  const sessionId = await admin.create({ hosts: ['compute-5', 'compute-6'] });
  const reason = await admin.untilReason(
    sessionId,
    ({ waiting_for, who }) => waiting_for === 'content' && who === 'compute-6',
  );
  expect(reason.because).toContain(`/flavor is missing (of odd, ${server.id})`);
  await until('the other host is maintained', async () => {
    const { hosts } = await admin.detail(sessionId);
    return hosts.some(({ hostname, maintained }) => hostname === 'compute-5' && maintained === true) || undefined;
  });
  expect(await computeOf('compute-6')).toMatchObject({ status: 'enabled' });
  nova.heal();
  expect(await admin.until(sessionId, 'MAINTENANCE_DONE')).toMatchObject({ percent_done: 100 });
  endSilence();
});

const downPlugin = [{ plugin: 'goes-down', type: 'compute' }];

it('a host waits for the way back of a server, whose owner is named, and is maintained when it is given up', async () => {
  const server = await makeServer({ name: 'resized', host: 'compute-1' });
  await actOn(server.id, { migrate: { host: 'compute-2' } });
  await until('it waits for its confirmation', async () =>
    (await untilSettled(server.id)).status === 'VERIFY_RESIZE' ? true : undefined,
  );
  const { body: plan } = await admin.call('POST', '/maintenance/plan', {
    ...{ hosts: ['compute-1'], state: 'MAINTENANCE', maintenance_at: '2026-01-01 00:00:00' },
    ...{ workflow: 'default', metadata: {} },
  });
  expect(plan).toMatchObject({
    completes: false,
    blockers: [{ kind: 'host_in_doubt', subject: 'compute-1' }, { kind: 'nothing_maintained' }],
  });
  const sessionId = await admin.create({ hosts: ['compute-1'] });
  const reason = await admin.untilReason(sessionId, ({ waiting_for }) => waiting_for === 'content');
  expect(reason).toMatchObject({ who: 'compute-1', subject: server.tenant_id });
  expect(reason.because).toContain(`resized (${server.id}) was resized or migrated from host compute-1`);
  expect(await computeOf('compute-1')).toMatchObject({ status: 'enabled' });
  await actOn(server.id, { confirmResize: null });
  expect(await admin.until(sessionId, 'MAINTENANCE_DONE')).toMatchObject({ percent_done: 100 });
});

it('a host whose nova-compute stays down has failed, and stays disabled', async () => {
  const sessionId = await admin.create({ hosts: ['compute-3'], actions: downPlugin, host_start_seconds: 5 });
  const { session } = await admin.until(sessionId, 'MAINTENANCE_FAILED');
  expect(session.failure).toContain('host compute-3 did not come back');
  expect(await computeOf('compute-3')).toMatchObject({
    ...{ status: 'disabled', state: 'down', disabled_reason: `maintenance session ${sessionId}` },
  });
});

it('a host whose nova-compute comes back is maintained then', async () => {
  const sessionId = await admin.create({ hosts: ['compute-4'], actions: downPlugin });
  await admin.untilReason(sessionId, ({ waiting_for, who }) => waiting_for === 'start' && who === 'compute-4');
  await startCompute('compute-4');
  expect(await admin.until(sessionId, 'MAINTENANCE_DONE')).toMatchObject({ percent_done: 100 });
  expect(await computeOf('compute-4')).toMatchObject({ status: 'enabled', state: 'up' });
});

const maintainDisabled = (host: string, reason: string): Promise<string> =>
  admin.create({ hosts: [host], actions: [{ plugin: 'disabled-by-others', type: 'compute', metadata: { reason } }] });

it('a host that Masakari disables during its maintenance has failed at once, and is named with the reason', async () => {
  const reason = 'Masakari detected host failed.';
  const { session } = await admin.until(await maintainDisabled('compute-5', reason), 'MAINTENANCE_FAILED');
  expect(session.failure).toContain(`host compute-5 is not back: somebody else has disabled it`);
  expect(session.failure).toContain(reason);
  const compute = await computeOf('compute-5');
  expect(compute).toMatchObject({ status: 'disabled', disabled_reason: reason });
  await switchCompute(compute, { status: 'enabled' });
});

it('a host that was disabled during its maintenance for a reason that may be undone is enabled', async () => {
  const sessionId = await maintainDisabled('compute-4', 'rack monitoring: down for 30 s');
  expect(await admin.until(sessionId, 'MAINTENANCE_DONE')).toMatchObject({ percent_done: 100 });
  expect(await computeOf('compute-4')).toMatchObject({ status: 'enabled', disabled_reason: null });
});
