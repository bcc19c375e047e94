/** Action plug-ins of all five types: what runs where, in which order, what is recorded, and failing ones. */
import { type ActionPlugin, ActionPluginFailure } from '../../../plugins/actions/action-plugin';
import { aZone } from '../../builders/a-zone';
import { hostEvents } from '../rig/event-log';
import { acknowledge } from '../rig/manager';
import { tellSideBySide } from '../rig/side-by-side';

const controllerOnly = { type: 'controller', is_compute: false } as const;

const ordered = aZone(0, { hosts: { a: {}, b: {}, brain: controllerOnly }, instances: [[1, 'a']] });
// No controller: while one is left disabled, no other session maintains any.
const broken = aZone(1, { hosts: { a: {}, b: {} } });
const brokenBefore = aZone(2, { hosts: { a: {} } });
const brokenAfter = aZone(3, { hosts: { a: {} } });

/** Plug-ins that do nothing but be recorded. */
const recorded = ['alpha', 'beta'].map((name): ActionPlugin => ({
  name,
  run: ({ host }) => Promise.resolve({ state: host?.name ?? 'once' }),
}));

const breaks: ActionPlugin = {
  name: 'breaks',
  run: ({ host }) =>
    host?.name === broken.host('b')
      ? Promise.reject(new ActionPluginFailure(`${host.name} was told to fail`))
      : Promise.resolve({ state: 'fine' }),
};

const { story, judgeTrace } = tellSideBySide({
  zones: [ordered, broken, brokenBefore, brokenAfter],
  actionPlugins: [...recorded, breaks],
});

const failing = (type: string) => [{ plugin: 'dummy', type, metadata: { seconds: 0, fail_times: 99 } }];

story('runs pre, host, compute, controller and post plug-ins in this order, by name within a type', async (stage) => {
  const { admin, db, events, manage } = stage;
  manage(ordered.project(1), acknowledge);
  const types = ['post', 'controller', 'compute', 'host', 'pre'];
  const actions = types.flatMap((type) => ['beta', 'alpha'].map((plugin) => ({ plugin, type })));
  const sessionId = await admin.create({ hosts: ordered.hostNames, actions });
  const { action_plugin_instances: records } = await admin.until(sessionId, 'MAINTENANCE_DONE');
  const told = await events.until(sessionId, 'maintenance.session', 'MAINTENANCE_DONE');

  const rows = await db.actionPluginInstance.findMany({ where: { sessionId }, orderBy: { createdAt: 'asc' } });
  const runsOn = (hostname: string) =>
    rows.filter((row) => row.hostname === hostname).map(({ type, plugin }) => `${type} ${plugin}`);
  const both = (type: string) => [`${type} alpha`, `${type} beta`];
  expect(runsOn('')).toEqual([...both('pre'), ...both('post')]);
  expect(runsOn(ordered.host('a'))).toEqual([...both('host'), ...both('compute')]);
  expect(runsOn(ordered.host('b'))).toEqual([...both('host'), ...both('compute')]);
  expect(runsOn(ordered.host('brain'))).toEqual([...both('host'), ...both('controller')]);
  const place = rows.map(({ type }) => (type === 'pre' ? 0 : type === 'post' ? 2 : 1));
  expect(place).toEqual(place.toSorted((one, other) => one - other));

  expect(records).toHaveLength(rows.length);
  expect(records.find(({ hostname }) => hostname === '')).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    session_id: sessionId,
    hostname: '',
    plugin: 'alpha',
    state: 'once',
    created_at: expect.any(String) as string,
    updated_at: expect.any(String) as string,
    ...{ type: 'pre', status: 'done', attempts: 1 },
  });
  expect(records.find(({ hostname }) => hostname === ordered.host('a'))).toMatchObject({ state: ordered.host('a') });
  expect(Object.keys(hostEvents(told)).sort()).toEqual([...ordered.hostNames].sort());
});

story('fails where a host plug-in fails, and leaves that host disabled', async ({ admin, db, events }) => {
  const sessionId = await admin.create({
    hosts: broken.hostNames,
    actions: [{ plugin: 'breaks', type: 'compute' }],
  });
  const { session, hosts, action_plugin_instances: records } = await admin.until(sessionId, 'MAINTENANCE_FAILED');
  const told = await events.until(sessionId, 'maintenance.session', 'MAINTENANCE_FAILED');
  const host = broken.host('b');
  expect(session.failure).toContain('breaks');
  expect(session.failure).toContain(`left disabled: ${host}`);
  expect(hosts.find(({ hostname }) => hostname === host)).toMatchObject({ disabled: true, maintained: false });
  expect(hosts.find(({ hostname }) => hostname === broken.host('a'))).toMatchObject({ disabled: false });
  expect(records.filter(({ hostname }) => hostname === host)).toEqual([
    expect.objectContaining({ plugin: 'breaks', state: expect.stringMatching(/told to fail/) as string }),
  ]);
  expect(hostEvents(told)[host]).toEqual(['IN_MAINTENANCE']);
  const disabled = await db.simHost.findMany({ where: { name: { in: [...broken.hostNames] }, disabled: true } });
  expect(disabled.map(({ name }) => name)).toEqual([host]);
});

story('touches no host where a `pre` plug-in fails', async ({ admin, events }) => {
  const sessionId = await admin.create({ hosts: brokenBefore.hostNames, actions: failing('pre') });
  const { session, hosts } = await admin.until(sessionId, 'MAINTENANCE_FAILED');
  const told = await events.until(sessionId, 'maintenance.session', 'MAINTENANCE_FAILED');
  expect(session.prev_state).toBe('MAINTENANCE');
  expect(session.failure).toMatch(/dummy \(pre\) failed/);
  expect(hosts[0]).toMatchObject({ disabled: false, maintained: false });
  expect(hostEvents(told)).toEqual({});
});

story('keeps the hosts maintained where a `post` plug-in fails', async ({ admin }) => {
  const sessionId = await admin.create({ hosts: brokenAfter.hostNames, actions: failing('post') });
  const { session, hosts, percent_done } = await admin.until(sessionId, 'MAINTENANCE_FAILED');
  expect(session.prev_state).toBe('MAINTENANCE_COMPLETE');
  expect(session.failure).toMatch(/dummy \(post\) failed/);
  expect(hosts[0]).toMatchObject({ disabled: false, maintained: true });
  expect(percent_done).toBe(100);
});

judgeTrace();
