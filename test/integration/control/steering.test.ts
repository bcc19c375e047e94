/**
 * Sessions that are steered: hosts that fail, or are left out, do not keep the rest from its maintenance. Afterwards
 * the cloud is as the session said that it leaves it.
 */
import { settleHosts } from '../../../activities/hosts/host-switch';
import { type ActionPlugin, ActionPluginFailure } from '../../../plugins/actions/action-plugin';
import { aZone, type Zone } from '../../builders/a-zone';
import { eventually } from '../../waiting/eventually';
import type { SessionDetail } from '../rig/admin';
import { acknowledge } from '../rig/manager';
import { type Stage, tellSideBySide } from '../rig/side-by-side';

const breaking = aZone(0, { hosts: { a: {}, b: {}, c: {} }, instances: [[1, 'b']] });
const stuck = aZone(1, {
  hosts: { a: {}, b: {}, c: {} },
  groups: { 1: { max_impacted_members: 1, recovery_time: 1 } },
  instances: [
    [1, 'a', { group: 1, fail_moves: 2 }],
    [2, 'b', { group: 1 }],
  ],
});
const broken = aZone(2, { hosts: { a: {}, b: {}, c: {} } });
const full = aZone(3, {
  hosts: { a: { slots: 2 }, b: { slots: 2 } },
  instances: [
    [1, 'a', { slots: 2 }],
    [2, 'b', { slots: 2 }],
  ],
});

const repaired = new Set<string>();

/** Breaks on hosts whose name its metadata have, until they are repaired. */
const breaks: ActionPlugin = {
  name: 'breaks',
  run({ host, metadata }) {
    const name = host?.name ?? '';
    const isBroken = (metadata['hosts'] as readonly string[]).includes(name) && !repaired.has(name);
    return isBroken ? Promise.reject(new ActionPluginFailure('told to break')) : Promise.resolve({ state: 'done' });
  },
};

const { story, judgeTrace } = tellSideBySide({
  zones: [breaking, stuck, broken, full],
  environment: { PARLEY_SIM_SPEED: '100', PARLEY_SCALE_IN_ROUNDS: '1' },
  actionPlugins: [breaks],
});

const breaksOn = (...hosts: readonly string[]) => ({ plugin: 'breaks', type: 'host', metadata: { hosts } });

const hostIn = ({ hosts }: SessionDetail, hostname: string) => hosts.find((host) => host['hostname'] === hostname);

const disabledOf = async ({ db }: Stage, { hostNames }: Zone): Promise<string[]> => {
  const hosts = await db.simHost.findMany({ where: { name: { in: [...hostNames] }, disabled: true } });
  return hosts.map(({ name }) => name);
};

story('a host breaks in its maintenance: the rest goes on, and it stays disabled after the deletion', async (stage) => {
  const { admin, events, manage } = stage;
  manage(breaking.project(1), acknowledge);
  const a = breaking.host('a');
  const request = { hosts: breaking.hostNames, max_failed_hosts: 1, actions: [breaksOn(a)] };
  const sessionId = await admin.create(request);
  const done = await admin.until(sessionId, 'MAINTENANCE_DONE');
  const reason = expect.stringContaining('told to break') as string;
  expect(done).toMatchObject({ percent_done: 66, session: { failure: null, set_aside: [{ hostname: a, reason }] } });
  expect(hostIn(done, a)).toMatchObject({ phase: 'set_aside', disabled: true, maintained: false, details: reason });
  const told = await events.until(sessionId, 'maintenance.session', 'MAINTENANCE_DONE');
  expect(told.at(-1)?.payload).toMatchObject({ percent_done: 66, set_aside: [{ host: a, reason }] });
  expect(await disabledOf(stage, breaking)).toEqual([a]);
  expect((await admin.call('DELETE', `/maintenance/${sessionId}`)).status).toBe(200);
  // As the sweeper does: it enables what was disabled by mistake.
  await settleHosts(stage.rig.services);
  expect(await disabledOf(stage, breaking)).toEqual([a]);
});

story('vnf, an instance cannot be moved: its host is set aside and enabled, the rest is maintained', async (stage) => {
  const { admin, manage } = stage;
  manage(stuck.project(1), acknowledge);
  const a = stuck.host('a');
  const limits = { max_failed_hosts: 1, failed_hosts: 'enable' };
  const sessionId = await admin.create({ workflow: 'vnf', hosts: stuck.hostNames, ...limits });
  const done = await admin.until(sessionId, 'MAINTENANCE_DONE');
  expect(done).toMatchObject({ percent_done: 66, session: { ...limits, set_aside: [{ hostname: a }] } });
  expect(hostIn(done, a)).toMatchObject({ phase: 'set_aside', disabled: false });
  expect(done.instances.find(({ instance_id }) => instance_id === stuck.instance(1))).toMatchObject({ host: a });
  expect(await disabledOf(stage, stuck)).toEqual([]);
});

story('more hosts fail than may: the session fails, and names them all', async (stage) => {
  const { admin } = stage;
  const [a, b] = [broken.host('a'), broken.host('b')];
  const sessionId = await admin.create({ hosts: broken.hostNames, max_failed_hosts: 1, actions: [breaksOn(a, b)] });
  const { session } = await admin.until(sessionId, 'MAINTENANCE_FAILED');
  expect(session.failure).toContain(`host ${a}`);
  expect(session.failure).toContain(`host ${b}`);
  expect(session.failure).toContain('more than max_failed_hosts 1 allows');
  repaired.add(a);
  repaired.add(b);
  expect((await admin.call('PUT', `/maintenance/${sessionId}`)).status).toBe(200);
  await eventually({ what: 'it is done', ...admin.watching(sessionId) }, async () => {
    const { state } = await admin.detail(sessionId);
    return state === 'MAINTENANCE_DONE' || undefined;
  });
  await admin.call('DELETE', `/maintenance/${sessionId}`);
});

story('no host can be drained, and nobody scales in: all are set aside where so many may fail', async (stage) => {
  const { admin, manage } = stage;
  manage(full.project(1), acknowledge);
  const sessionId = await admin.create({ hosts: full.hostNames, max_failed_hosts: 2 });
  const done = await admin.until(sessionId, 'MAINTENANCE_DONE');
  const reason = expect.stringContaining('cannot be drained') as string;
  expect(done).toMatchObject({ percent_done: 0, session: { set_aside: [{ reason }, { reason }] } });
  expect(await disabledOf(stage, full)).toEqual([]);
});

judgeTrace();
