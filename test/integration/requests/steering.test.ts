/**
 * Sessions that are steered: hosts that fail, or are left out, do not keep the rest from its maintenance. Afterwards
 * the cloud is as the session said that it leaves it.
 */
import { settleHosts } from '../../../activities/hosts/host-switch';
import { type ActionPlugin, ActionPluginFailure } from '../../../plugins/actions/action-plugin';
import { aZone, type Zone } from '../../builders/a-zone';
import { eventually } from '../../waiting/eventually';
import { continueFailed } from '../continue/continued-session';
import { hostsLeftDisabled } from '../continue/session-facts';
import type { SessionDetail } from '../rig/admin';
import { acknowledge, staySilent } from '../rig/manager';
import { type Stage, tellSideBySide } from '../rig/side-by-side';

const breaking = aZone(0, { hosts: { a: {}, b: {}, spare: {} }, instances: [[1, 'b']] });
const stuck = aZone(1, {
  hosts: { a: {}, b: {} },
  groups: { 1: { max_impacted_members: 1, recovery_time: 1 } },
  instances: [[1, 'a', { group: 1, fail_moves: 2 }]],
});
const broken = aZone(2, { hosts: { a: {}, b: {} } });
const full = aZone(3, {
  hosts: { a: { slots: 2 }, b: { slots: 2 } },
  instances: [
    [1, 'a', { slots: 2 }],
    [2, 'b', { slots: 2 }],
  ],
});

const chosen = aZone(4, {
  hosts: { a: {}, b: {}, c: {} },
  instances: [
    [1, 'a'],
    [2, 'c'],
  ],
});
const asked = aZone(5, {
  hosts: { a: {}, b: {} },
  groups: { 1: { max_impacted_members: 1, recovery_time: 1 } },
  instances: [[1, 'a', { group: 1, lead_time: 3600 }]],
});
const abandoned = aZone(6, { hosts: { a: {}, b: {} } });

const tried = aZone(7, { hosts: { a: {}, b: {} }, instances: [[1, 'b']] });
const paired = aZone(8, { hosts: { a: {}, b: {}, c: {}, e: {}, f: {} } });

const replying = aZone(9, {
  hosts: { a: {}, b: {}, c: {}, d: {}, e: {} },
  instances: [
    [1, 'a'],
    [2, 'c', { project: 2 }],
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
  zones: [breaking, stuck, broken, full, chosen, asked, abandoned, tried, paired, replying],
  environment: { PARLEY_SIM_SPEED: '100', PARLEY_SCALE_IN_ROUNDS: '1', PARLEY_NACK_RETRIES: '1' },
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
  const request = { hosts: [a, breaking.host('b')], max_failed_hosts: 1, actions: [breaksOn(a)] };
  const sessionId = await admin.create(request);
  const done = await admin.until(sessionId, 'MAINTENANCE_DONE');
  const reason = expect.stringContaining('told to break') as string;
  expect(done).toMatchObject({ percent_done: 50, session: { failure: null, set_aside: [{ hostname: a, reason }] } });
  expect(hostIn(done, a)).toMatchObject({ phase: 'set_aside', disabled: true, maintained: false, details: reason });
  const told = await events.until(sessionId, 'maintenance.session', 'MAINTENANCE_DONE');
  expect(told.at(-1)?.payload).toMatchObject({ percent_done: 50, set_aside: [{ host: a, reason }] });
  expect(await disabledOf(stage, breaking)).toEqual([a]);
  expect((await admin.call('DELETE', `/maintenance/${sessionId}`)).status).toBe(200);
  // Does what the sweeper does: it enables hosts that were disabled by mistake.
  await settleHosts(stage.rig.services);
  expect(await disabledOf(stage, breaking)).toEqual([a]);
});

story('a host that was left disabled is enabled before a session that failed after its work is done', async (stage) => {
  const { admin } = stage;
  const [e, f, noHost] = [paired.host('e'), paired.host('f'), ''];
  const actions = [breaksOn(e), { plugin: 'breaks', type: 'post', metadata: { hosts: [noHost] } }];
  const sessionId = await admin.create({ hosts: [e, f], max_failed_hosts: 1, actions });
  const failed = await admin.until(sessionId, 'MAINTENANCE_FAILED');
  expect(failed).toMatchObject({ session: { prev_state: 'MAINTENANCE_COMPLETE' } });
  expect(await hostsLeftDisabled(stage.rig, [e, f])).toEqual([e]);
  repaired.add(noHost);
  expect((await admin.call('PATCH', `/maintenance/${sessionId}`, { failed_hosts: 'enable' })).status).toBe(200);
  await continueFailed(admin, sessionId);
  const done = await admin.until(sessionId, 'MAINTENANCE_DONE');
  expect(await hostsLeftDisabled(stage.rig, [e, f])).toEqual([]);
  expect(done).toMatchObject({ percent_done: 50, session: { set_aside: [{ hostname: e }] } });
  expect(hostIn(done, e)).toMatchObject({ phase: 'set_aside', disabled: false });
});

story('vnf, an instance cannot be moved: its host is set aside and enabled, the rest is maintained', async (stage) => {
  const { admin, manage } = stage;
  manage(stuck.project(1), acknowledge);
  const a = stuck.host('a');
  const limits = { max_failed_hosts: 1, failed_hosts: 'enable' };
  const sessionId = await admin.create({ workflow: 'vnf', hosts: stuck.hostNames, ...limits });
  const done = await admin.until(sessionId, 'MAINTENANCE_DONE');
  expect(done).toMatchObject({ percent_done: 50, session: { ...limits, set_aside: [{ hostname: a }] } });
  expect(hostIn(done, a)).toMatchObject({ phase: 'set_aside', disabled: false });
  expect(done.instances.find(({ instance_id }) => instance_id === stuck.instance(1))).toMatchObject({ host: a });
  expect(await disabledOf(stage, stuck)).toEqual([]);
});

const steer = (
  { admin }: Stage,
  { sessionId, hostname, what }: { sessionId: string; hostname: string; what: 'skip' | 'retry' | 'first' },
) => admin.call('POST', `/maintenance/${sessionId}/hosts/${hostname}/${what}`);

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

const untilPhase = ({ admin }: Stage, sessionId: string, [hostname, phase]: readonly [string, string]) =>
  eventually({ what: `host ${hostname} is ${phase}`, ...admin.watching(sessionId) }, async () => {
    const detail = await admin.detail(sessionId);
    return hostIn(detail, hostname)?.['phase'] === phase ? detail : undefined;
  });

story('the worker dies right after a host is skipped, a broken one is repaired and retried', async (stage) => {
  const { admin, rig, manage } = stage;
  let isRetried = false;
  // Until then the session has work on hosts.
  manage(chosen.project(1), async ({ state }) => {
    if (state !== 'MAINTENANCE') await eventually('it is retried', () => Promise.resolve(isRetried || undefined));
    return { answer: 'ACK' };
  });
  const [a, b, c] = [chosen.host('a'), chosen.host('b'), chosen.host('c')];
  const actions = [breaksOn(b)];
  const sessionId = await admin.create({
    hosts: chosen.hostNames,
    maintenance_at: inHours(1),
    max_failed_hosts: 1,
    actions,
  });
  expect(await steer(stage, { sessionId, hostname: c, what: 'first' })).toMatchObject({
    status: 200,
    body: { hostname: c, phase: 'waiting', first_at: expect.any(String) as string },
  });
  const skip = { sessionId, hostname: a, what: 'skip' } as const;
  for (const attempt of [1, 2]) {
    expect([attempt, await steer(stage, skip)]).toMatchObject([attempt, { status: 200, body: { phase: 'skipped' } }]);
    if (attempt === 1) await rig.restartWorker();
  }
  const start = { maintenance_at: inHours(0) };
  expect(await admin.call('PATCH', `/maintenance/${sessionId}`, start)).toMatchObject({ status: 200 });
  const broken = await untilPhase(stage, sessionId, [b, 'set_aside']);
  expect(hostIn(broken, b)).toMatchObject({ disabled: true });
  repaired.add(b);
  const retry = await steer(stage, { sessionId, hostname: b, what: 'retry' });
  expect(retry).toMatchObject({ status: 200, body: { phase: 'waiting' } });
  isRetried = true;
  const done = await admin.until(sessionId, 'MAINTENANCE_DONE');
  expect(done).toMatchObject({ percent_done: 66 });
  expect(hostIn(done, a)).toMatchObject({ phase: 'skipped', disabled: false, details: 'skipped by the administrator' });
});

story(
  'vnf, a host is skipped while its instance is asked: the question is withdrawn, the host in use',
  async (stage) => {
    const { admin, db, manage } = stage;
    const a = asked.host('a');
    manage(asked.project(1), ({ state }) => (state.startsWith('P') ? undefined : { answer: 'ACK' }));
    const sessionId = await admin.create({ workflow: 'vnf', hosts: asked.hostNames });
    await eventually('the instance is asked', async () => {
      const where = { sessionId, instanceId: asked.instance(1), askedAt: { not: null } };
      return (await db.question.count({ where })) || undefined;
    });
    expect(await steer(stage, { sessionId, hostname: a, what: 'skip' })).toMatchObject({ status: 200 });
    const done = await admin.until(sessionId, 'MAINTENANCE_DONE');
    expect(done).toMatchObject({ percent_done: 50, session: { set_aside: [{ hostname: a }] } });
    expect(await disabledOf(stage, asked)).toEqual([]);
    expect(await db.question.count({ where: { sessionId, status: 'open' } })).toBe(0);
  },
);

story('an abort enables what it had under work, and leaves disabled what was set aside', async (stage) => {
  const { admin } = stage;
  const [a, b] = [abandoned.host('a'), abandoned.host('b')];
  const slow = { plugin: 'dummy', type: 'host', metadata: { seconds: 3600 } };
  const request = { hosts: abandoned.hostNames, max_failed_hosts: 1, actions: [breaksOn(a), slow] };
  const sessionId = await admin.create(request);
  await untilPhase(stage, sessionId, [a, 'set_aside']);
  await eventually('the other one is in maintenance', async () => {
    const where = { sessionId, hostname: b, plugin: 'dummy', status: 'running' };
    return (await stage.db.actionPluginInstance.count({ where })) || undefined;
  });
  const refused = await steer(stage, { sessionId, hostname: b, what: 'skip' });
  expect(refused).toMatchObject({ status: 422, body: { code: 'HOST_NOT_STEERABLE' } });
  expect(JSON.stringify(refused.body)).toMatch(/in maintenance since .*action plug-in dummy \(host\) runs/);
  expect(await steer(stage, { sessionId, hostname: 'nowhere', what: 'skip' })).toMatchObject({ status: 404 });
  await admin.call('POST', `/maintenance/${sessionId}/abort`);
  await admin.until(sessionId, 'MAINTENANCE_FAILED');
  expect(await disabledOf(stage, abandoned)).toEqual([a]);
  await admin.call('DELETE', `/maintenance/${sessionId}`);
  await eventually('it is gone', async () => {
    const { status } = await admin.call('GET', `/maintenance/${sessionId}`);
    return status === 404 || undefined;
  });
  await settleHosts(stage.rig.services);
  expect(await disabledOf(stage, abandoned)).toEqual([a]);
});

story(
  'one host first: the session pauses itself, keeps that over the death of its worker, and is resumed',
  async (stage) => {
    const { admin, rig, manage } = stage;
    manage(tried.project(1), acknowledge);
    const canary = { hosts: [tried.host('b')], then: 'resume' };
    const sessionId = await admin.create({ hosts: tried.hostNames, canary });
    const reason = await admin.untilReason(sessionId, ({ waiting_for }) => waiting_for === 'resume');
    expect(reason.because).toBe(`the canary is done (${tried.host('b')}); resume to go on`);
    await rig.restartWorker();
    const { hosts, session } = await admin.detail(sessionId);
    expect(session).toMatchObject({ canary: { ...canary, wait_seconds: 0 }, paused_because: reason.because });
    expect(hosts.map(({ phase }) => phase)).toEqual(['waiting', 'maintained']);
    await admin.call('POST', `/maintenance/${sessionId}/resume`);
    const done = await admin.until(sessionId, 'MAINTENANCE_DONE');
    expect(done).toMatchObject({ percent_done: 100, session: { paused_because: null } });
  },
);

story('vnf, two hosts first, then a wait, which a PATCH ends', async ({ admin }) => {
  const canary = { hosts: 2, then: 'continue', wait_seconds: 3600 };
  const sessionId = await admin.create({ workflow: 'vnf', hosts: ['a', 'b', 'c'].map(paired.host), canary });
  const reason = await admin.untilReason(sessionId, ({ because = '' }) => because.startsWith('the canary is done'));
  expect(reason.waiting_for).toBe('time');
  const { hosts, percent_done } = await admin.detail(sessionId);
  expect([percent_done, hosts.filter(({ phase }) => phase === 'waiting').length]).toEqual([66, 1]);
  expect(await admin.call('PATCH', `/maintenance/${sessionId}`, { canary })).toMatchObject({ status: 422 });
  expect(await admin.call('PATCH', `/maintenance/${sessionId}`, { canary: null })).toMatchObject({ status: 200 });
  expect(await admin.until(sessionId, 'MAINTENANCE_DONE')).toMatchObject({ percent_done: 100 });
});

story('a tenant never answers: its host is skipped, the rest is maintained', async (stage) => {
  const { admin, manage } = stage;
  manage(replying.project(1), staySilent);
  const [a, b] = [replying.host('a'), replying.host('b')];
  const sessionId = await admin.create({ hosts: [a, b], reply_policy: { silence: 'skip_host' } });
  const done = await admin.until(sessionId, 'MAINTENANCE_DONE');
  expect(done).toMatchObject({
    percent_done: 50,
    session: { reply_policy: { silence: 'skip_host', last_nack: 'fail' } },
  });
  const details = expect.stringContaining('did not answer') as string;
  expect(hostIn(done, a)).toMatchObject({ phase: 'skipped', disabled: false, details });
  expect(done.instances).toMatchObject([{ instance_id: replying.instance(1), host: a }]);
});

story(
  'vnf, a tenant refuses for the last time: the session pauses, and asks again when it is resumed',
  async (stage) => {
    const { admin, manage } = stage;
    let isSettled = false;
    manage(replying.project(2), ({ state }) => ({ answer: state.startsWith('P') && !isSettled ? 'NACK' : 'ACK' }));
    const request = { workflow: 'vnf', hosts: [replying.host('c'), replying.host('d')] };
    const sessionId = await admin.create({ ...request, reply_policy: { last_nack: 'pause' } });
    const { because } = await admin.untilReason(sessionId, ({ waiting_for }) => waiting_for === 'resume');
    expect(because).toMatch(/answered NACK_P.* times/);
    isSettled = true;
    await admin.call('POST', `/maintenance/${sessionId}/resume`);
    expect(await admin.until(sessionId, 'MAINTENANCE_DONE')).toMatchObject({ percent_done: 100 });
  },
);

story('more hosts fail than may: the session fails, and names them all', async (stage) => {
  const { admin } = stage;
  const [a, b] = [broken.host('a'), broken.host('b')];
  const sessionId = await admin.create({ hosts: broken.hostNames, max_failed_hosts: 1, actions: [breaksOn(a, b)] });
  const { session } = await admin.until(sessionId, 'MAINTENANCE_FAILED');
  expect(session.failure).toContain(`host ${a}`);
  expect(session.failure).toContain(`host ${b}`);
  expect(session.failure).toContain('more than max_failed_hosts 1 allows');
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
