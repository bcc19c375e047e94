/** The course of a session of the workflow `default`: its states, its events, and the hosts it meets. */
import { setTimeout as pause } from 'node:timers/promises';
import { addInstance, removeInstance } from '../../../clouds/simulated/edit-fleet';
import type { Database } from '../../../prisma/database';
import { aZone } from '../../builders/a-zone';
import { hostEvents, plannedEvents, sessionEvents, statesIn } from '../rig/event-log';
import { acknowledge, type Policy, staySilent } from '../rig/manager';
import { tellSideBySide } from '../rig/side-by-side';

const dummyOnHosts = [{ plugin: 'dummy', type: 'host' }];
const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();

const whole = aZone(0, {
  hosts: { a: {}, b: {}, c: {} },
  instances: [
    [1, 'a'],
    [2, 'b', { project: 2 }],
    [3, 'c'],
    [4, 'c', { project: 3 }],
  ],
});
const empty = aZone(1, { hosts: { a: {} } });
const laterStart = aZone(2, { hosts: { a: {}, b: {} }, instances: [[1, 'a']] });
const future = aZone(3, { hosts: { a: {}, b: {} }, instances: [[1, 'a']] });
const uneven = aZone(4, {
  hosts: { small: { slots: 2 }, large: { slots: 7 }, off: { slots: 3, enabled: false } },
  instances: [
    [1, 'small'],
    [2, 'off'],
  ],
});
const controllers = aZone(5, {
  hosts: {
    a: {},
    both: { type: 'controller', is_compute: true },
    one: { type: 'controller', is_compute: false },
  },
  instances: [[1, 'both']],
});
const changing = aZone(6, {
  hosts: { a: {}, later: {}, spare: {} },
  instances: [
    [1, 'a'],
    [2, 'later'],
    [3, 'later'],
  ],
});

/** The project's instances of each host that has some. */
const instancesByHost = async (db: Database, projectId: string): Promise<string[][]> => {
  const instances = await db.simInstance.findMany({ where: { projectId }, orderBy: { instanceId: 'asc' } });
  const hosts = [...new Set(instances.map(({ host }) => host))];
  return hosts.map((name) => instances.filter(({ host }) => host === name).map(({ instanceId }) => instanceId));
};

const zones = [whole, empty, laterStart, future, uneven, controllers, changing];
const { story, judgeTrace } = tellSideBySide({ zones });

story(
  'goes through the states in order and tells admins and projects of each',
  async ({ admin, db, events, manage }) => {
    const lists: { state: string; listed: readonly string[]; there: readonly (readonly string[])[] }[] = [];
    const noteLists: Policy = async (event, manager) => {
      const { state, project_id } = event;
      if (event.instance_ids !== '') {
        lists.push({ state, listed: await manager.instancesOf(event), there: await instancesByHost(db, project_id) });
      }
      return { answer: 'ACK' };
    };
    const first = manage(whole.project(1), noteLists);
    const second = manage(whole.project(2), noteLists);
    const third = manage(whole.project(3), staySilent);
    const metadata = { capability: 'new hardware' };
    const sessionId = await admin.create({ hosts: whole.hostNames, metadata, actions: dummyOnHosts });
    const detail = await admin.until(sessionId, 'MAINTENANCE_DONE');
    const told = await events.until(sessionId, 'maintenance.session', 'MAINTENANCE_DONE');

    expect(statesIn(told)).toEqual([
      'MAINTENANCE',
      'PREPARE_MAINTENANCE',
      'START_MAINTENANCE',
      'PLANNED_MAINTENANCE',
      'MAINTENANCE_COMPLETE',
      'MAINTENANCE_DONE',
    ]);
    const percents = sessionEvents(told).map(({ percent_done }) => percent_done as number);
    expect(percents.every(Number.isInteger)).toBe(true);
    expect(percents).toEqual(percents.toSorted((one, other) => one - other));
    expect([...new Set(percents)]).toEqual([0, 33, 66, 100].filter((percent) => percents.includes(percent)));
    expect(percents.at(-1)).toBe(100);
    const hostStates = ['IN_MAINTENANCE', 'MAINTENANCE_COMPLETE'];
    expect(hostEvents(told)).toEqual(Object.fromEntries(whole.hostNames.map((name) => [name, hostStates])));
    expect(sessionEvents(told).filter(({ state }) => state === 'IN_MAINTENANCE')).toHaveLength(3);

    const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;
    for (const { payload, ...envelope } of told) {
      expect(envelope).toEqual({
        priority: 'info',
        event_type: expect.stringMatching(/^maintenance\.(host|session|planned)$/) as string,
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/) as string,
        publisher_id: 'parley',
        message_id: uuid,
      });
      const expected = {
        'maintenance.host': {
          service: 'parley',
          state: payload['state'],
          session_id: sessionId,
          host: payload['host'],
        },
        'maintenance.session': {
          service: 'parley',
          state: payload['state'],
          session_id: sessionId,
          percent_done: payload['percent_done'],
        },
        'maintenance.planned': payload,
      }[envelope.event_type];
      const admins = { ...expected, project_id: '0a4d1e7c5d0b4b529a3e7061726c6579' };
      if (envelope.event_type !== 'maintenance.planned') expect(payload).toEqual(admins);
    }

    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/) as string;
    const link = (projectId: string) =>
      expect.stringMatching(new RegExp(`^http://.*/v1/maintenance/${sessionId}/${projectId}$`)) as string;
    const allowed = { PREPARE_MAINTENANCE: true, PLANNED_MAINTENANCE: true } as Record<string, boolean>;
    for (const payload of plannedEvents(told).filter(({ reply_at }) => reply_at !== '')) {
      const state = String(payload['state']);
      const projectId = String(payload['project_id']);
      expect(payload).toEqual({
        service: 'parley',
        allowed_actions: allowed[state] ? ['LIVE_MIGRATE', 'MIGRATE', 'OWN_ACTION'] : [],
        instance_ids: state === 'MAINTENANCE_COMPLETE' ? '' : link(projectId),
        reply_url: link(projectId),
        state,
        session_id: sessionId,
        reply_at: time,
        actions_at: time,
        project_id: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
        metadata,
      });
    }
    const moves = await db.simMove.findMany({ where: { source: { in: [...whole.hostNames] } } });
    expect(
      plannedEvents(told, 'INSTANCE_ACTION_DONE')
        .map(({ instance_ids }) => instance_ids)
        .sort(),
    ).toEqual(moves.map(({ instanceId }) => instanceId).sort());

    expect(lists.filter(({ state }) => state === 'MAINTENANCE')).toHaveLength(2);
    for (const { state, listed, there } of lists) {
      const mayBeAbout = state === 'MAINTENANCE' ? [there.flat().sort()] : there;
      expect(mayBeAbout).toContainEqual(listed.toSorted());
    }
    for (const { told: heard } of [first, second, third]) {
      const questions = heard.map(({ state }) => state).filter((state) => !state.startsWith('INSTANCE_'));
      expect(questions[0]).toBe('MAINTENANCE');
      expect(questions.at(-1)).toBe('MAINTENANCE_COMPLETE');
      expect(questions.filter((state) => state === 'MAINTENANCE')).toHaveLength(1);
    }

    expect(detail.percent_done).toBe(100);
    expect(detail.session).toMatchObject({ workflow: 'default', prev_state: 'MAINTENANCE_COMPLETE', meta: metadata });
    expect(detail.hosts).toEqual(
      whole.hostNames.map(
        (hostname) => expect.objectContaining({ hostname, disabled: false, maintained: true }) as object,
      ),
    );
    expect(detail.instances.every(({ action_done }) => action_done === true)).toBe(true);
    expect(await db.simHost.count({ where: { name: { in: [...whole.hostNames] }, disabled: true } })).toBe(0);
  },
);

story('maintains hosts without instances at once, and asks nobody', async ({ admin, events }) => {
  const sessionId = await admin.create({ hosts: empty.hostNames, actions: dummyOnHosts });
  const detail = await admin.until(sessionId, 'MAINTENANCE_DONE');
  const told = await events.until(sessionId, 'maintenance.session', 'MAINTENANCE_DONE');
  expect(statesIn(told).slice(0, 2)).toEqual(['MAINTENANCE', 'START_MAINTENANCE']);
  expect(plannedEvents(told)).toEqual([]);
  expect(detail.instances).toEqual([]);
  expect(detail.hosts.map(({ maintained }) => maintained)).toEqual([true]);
});

story('waits and runs `pre` in set-up when it starts in a later state', async ({ admin, db, events, manage }) => {
  const manager = manage(laterStart.project(1), acknowledge);
  const maintenanceAt = inSeconds(4);
  const sessionId = await admin.create({
    hosts: laterStart.hostNames,
    state: 'PLANNED_MAINTENANCE',
    maintenance_at: maintenanceAt,
    actions: [{ plugin: 'dummy', type: 'pre' }],
  });
  const detail = await admin.until(sessionId, 'MAINTENANCE_DONE');
  const told = await events.until(sessionId, 'maintenance.session', 'MAINTENANCE_DONE');
  expect(statesIn(told)).toEqual(['PLANNED_MAINTENANCE', 'MAINTENANCE_COMPLETE', 'MAINTENANCE_DONE']);
  expect(manager.told.map(({ state }) => state)).not.toContain('MAINTENANCE');
  const [pre] = detail.action_plugin_instances;
  expect(pre).toMatchObject({ hostname: '', plugin: 'dummy' });
  expect(Date.parse(String(pre?.['created_at']))).toBeGreaterThanOrEqual(Date.parse(maintenanceAt));
  const entered = told.find(({ event_type }) => event_type === 'maintenance.session');
  expect(Date.parse(entered!.timestamp)).toBeGreaterThanOrEqual(Date.parse(String(pre?.['created_at'])));
  expect(await db.simMove.count({ where: { source: laterStart.host('a') } })).toBe(1);
});

story('asks, and begins no work before maintenance_at', async ({ admin, events, manage }) => {
  manage(future.project(1), acknowledge);
  const maintenanceAt = inSeconds(10);
  const sessionId = await admin.create({ hosts: [future.host('a')], maintenance_at: maintenanceAt });
  const [asked] = plannedEvents(await events.until(sessionId, 'maintenance.planned', 'MAINTENANCE'), 'MAINTENANCE');
  expect(Date.parse(`${String(asked?.['actions_at'])}Z`)).toBeGreaterThanOrEqual(Date.parse(maintenanceAt));
  await admin.until(sessionId, 'MAINTENANCE_DONE');
  const told = await events.until(sessionId, 'maintenance.session', 'MAINTENANCE_DONE');
  const afterwards = told.filter(({ payload }) => payload['state'] !== 'MAINTENANCE');
  for (const { timestamp } of afterwards) {
    expect(Date.parse(timestamp)).toBeGreaterThanOrEqual(Date.parse(maintenanceAt));
  }
});

story('maintains hosts of different sizes, and leaves disabled what was disabled beforehand', async (stage) => {
  const { admin, db, manage } = stage;
  manage(uneven.project(1), acknowledge);
  const sessionId = await admin.create({ hosts: uneven.hostNames, actions: dummyOnHosts });
  const detail = await admin.until(sessionId, 'MAINTENANCE_DONE');
  const byName = new Map(detail.hosts.map((host) => [host['hostname'], host]));
  expect(byName.get(uneven.host('off'))).toMatchObject({ maintained: true, disabled: true });
  expect(byName.get(uneven.host('off'))?.['details']).toMatch(/disabled before/);
  expect(byName.get(uneven.host('small'))).toMatchObject({ maintained: true, disabled: false });
  expect(byName.get(uneven.host('large'))).toMatchObject({ maintained: true, disabled: false });
  const disabled = await db.simHost.findMany({ where: { name: { in: [...uneven.hostNames] }, disabled: true } });
  expect(disabled.map(({ name }) => name)).toEqual([uneven.host('off')]);
});

story('maintains controllers one at a time, one that is a compute as well after draining it', async (stage) => {
  const { admin, events, manage } = stage;
  manage(controllers.project(1), acknowledge);
  const sessionId = await admin.create({
    hosts: controllers.hostNames,
    actions: [
      { plugin: 'dummy', type: 'host' },
      { plugin: 'dummy', type: 'compute' },
      { plugin: 'dummy', type: 'controller', metadata: { seconds: 1 } },
    ],
  });
  const detail = await admin.until(sessionId, 'MAINTENANCE_DONE');
  const told = await events.until(sessionId, 'maintenance.session', 'MAINTENANCE_DONE');
  const runs = (name: string) =>
    detail.action_plugin_instances.filter(({ hostname }) => hostname === controllers.host(name)).length;
  expect({ a: runs('a'), both: runs('both'), one: runs('one') }).toEqual({ a: 2, both: 3, one: 2 });
  const isController = (host: unknown) => ['both', 'one'].some((name) => controllers.host(name) === host);
  const states = told
    .filter(({ event_type, payload }) => event_type === 'maintenance.host' && isController(payload['host']))
    .map(({ payload }) => payload['state']);
  const oneTurn = ['IN_MAINTENANCE', 'MAINTENANCE_COMPLETE'];
  expect(states).toEqual([...oneTurn, ...oneTurn]);
  expect(detail.instances.find(({ instance_id }) => instance_id === controllers.instance(1))).toMatchObject({
    action_done: true,
  });
});

story('meets instances that appear on its hosts or vanish from them in mid-session', async (stage) => {
  const { admin, db, events, manage } = stage;
  const appeared: string[] = [];
  const add = async (host: string, project: number) => {
    const { vcpus, memory_mb: memoryMb } = changing.slot;
    const size = { vcpus, memoryMb, moveSeconds: 20 };
    const id = await addInstance(db, { host, projectId: changing.project(project), ...size });
    appeared.push(id);
  };
  let changed = false;
  manage(changing.project(1), async ({ state }) => {
    if (state === 'PREPARE_MAINTENANCE' && !changed) {
      changed = true;
      await removeInstance(db, changing.instance(3)); // from a host whose turn is still to come
      await add(changing.host('a'), 1); // onto the host that is being drained
      await add(changing.host('later'), 2); // of a project that had nothing there
    }
    return { answer: 'ACK' };
  });
  const newcomer = manage(changing.project(2), acknowledge);
  const sessionId = await admin.create({ hosts: [changing.host('a'), changing.host('later')], actions: dummyOnHosts });
  const detail = await admin.until(sessionId, 'MAINTENANCE_DONE');
  await events.until(sessionId, 'maintenance.session', 'MAINTENANCE_DONE');
  await pause(300);
  expect(appeared).toHaveLength(2);
  expect(detail.hosts.every(({ maintained, disabled }) => maintained === true && disabled === false)).toBe(true);
  const moved = await db.simMove.findMany({ where: { instanceId: { in: appeared }, status: 'done' } });
  expect(new Set(moved.map(({ instanceId }) => instanceId))).toEqual(new Set(appeared));
  expect(newcomer.told.map(({ state }) => state)).toEqual(expect.arrayContaining(['PLANNED_MAINTENANCE']));
  expect(await db.simMove.count({ where: { instanceId: changing.instance(3) } })).toBe(0);
});

judgeTrace();
