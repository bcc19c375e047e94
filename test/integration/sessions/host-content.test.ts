/**
 * Nothing counts as empty or back that is not: sources that disagree about a host, instances that come to a host out of
 * use, and hosts that do not come up again after their maintenance.
 */
import type { SessionSummaryBody } from '../../../api/schemas/summary-schemas';
import { moveInstance, repair } from '../../../clouds/simulated/edit-fleet';
import {
  confirmResize,
  hideInstance,
  resizeInstance,
  setDown,
  setKeepsAway,
  setLacking,
  setSilent,
} from '../../../clouds/simulated/play-faults';
import { type ActionPlugin, ActionPluginFailure } from '../../../plugins/actions/action-plugin';
import type { Database } from '../../../prisma/database';
import { aZone } from '../../builders/a-zone';
import { eventually } from '../../waiting/eventually';
import { hostEvents, sessionEvents } from '../rig/event-log';
import { heldUntil } from '../rig/held-plugin';
import { acknowledge } from '../rig/manager';
import { type Stage, tellSideBySide } from '../rig/side-by-side';

const unlisted = aZone(0, { hosts: { a: {}, b: {} }, instances: [[1, 'a']] });
const resized = aZone(1, { hosts: { a: {}, b: {}, c: {} }, instances: [[1, 'a']] });
const silent = aZone(2, { hosts: { a: {}, b: {} }, instances: [[1, 'a']] });
const guests = aZone(3, { hosts: { a: {}, b: {} }, instances: [[1, 'b']] });
const guestsOfVnf = aZone(4, { hosts: { a: {}, b: {} }, instances: [[1, 'b']] });
const neverBack = aZone(5, { hosts: { a: {}, b: {} } });
const backLater = aZone(6, { hosts: { a: {}, b: {} } });
const withDevices = { amounts: { gpus: 8 } };
const devicesLater = aZone(8, {
  hosts: { a: withDevices, b: withDevices },
  instances: [[1, 'b', { amounts: { gpus: 8 } }]],
});
const devicesGone = aZone(9, { hosts: { a: withDevices } });
const onFailed = aZone(7, { hosts: { a: {}, b: {}, c: {} }, instances: [[1, 'c']] });

/** The simulated cloud, once the stage is open: plug-ins change it as what they stand for would. */
let openCloud: (db: Database) => void;
const cloudDb = new Promise<Database>((resolve) => (openCloud = resolve));

const guestOf = new Map([guests, guestsOfVnf].map((zone) => [zone.host('a'), zone.instance(1)]));

/** While it runs somebody moves an instance to its host. */
const alpha: ActionPlugin = {
  name: 'alpha',
  async run({ host }) {
    const guest = guestOf.get(host?.name ?? '');
    const db = await cloudDb;
    if (guest !== undefined && (await db.simInstance.count({ where: { instanceId: guest, host: host!.name } })) === 0) {
      await moveInstance(db, guest, host!.name);
    }
    return { state: null };
  },
};
/** Notes what is on its host while it runs. */
const seenBeside: { readonly host: string; readonly instances: number }[] = [];
const beta: ActionPlugin = {
  name: 'beta',
  async run({ host }) {
    const instances = await (await cloudDb).simInstance.count({ where: { host: host!.name } });
    seenBeside.push({ host: host!.name, instances });
    return { state: null };
  },
};
const breaksDown: ActionPlugin = {
  name: 'breaks-down',
  async run({ host }) {
    await setDown(await cloudDb, host!.name, true);
    return { state: null };
  },
};
const losesDevices: ActionPlugin = {
  name: 'loses-devices',
  async run({ host }) {
    await setLacking(await cloudDb, host!.name, ['gpus']);
    await setKeepsAway(await cloudDb, host!.name, ['agent-not-ready']);
    return { state: null };
  },
};
/** Fails on one host, and ends on the other when something has come to the first. */
const failsOnA = heldUntil('fails-on-a', async ({ host }) => {
  const failed = onFailed.host('a');
  if (host?.name === failed) throw new ActionPluginFailure(`${failed} was told to fail`);
  const db = await cloudDb;
  await eventually(
    'something came to the failed host',
    async () => (await db.simInstance.count({ where: { host: failed } })) > 0 || undefined,
  );
});

const { story, judgeTrace } = tellSideBySide({
  zones: [unlisted, resized, silent, guests, guestsOfVnf, neverBack, backLater, onFailed, devicesLater, devicesGone],
  actionPlugins: [alpha, beta, breaksDown, losesDevices, failsOnA],
});

const announcedIn = ({ events }: Stage, sessionId: string) => Object.keys(hostEvents(events.of(sessionId)));

story('waits while an instance may be on a host that its list does not show', async (stage) => {
  const { admin, db } = stage;
  openCloud(db);
  stage.manage(unlisted.project(1), acknowledge);
  const [a, vm] = [unlisted.host('a'), unlisted.instance(1)];
  await hideInstance(db, vm, ['list']);
  const sessionId = await admin.create({ hosts: unlisted.hostNames });
  const reason = await admin.untilReason(sessionId, ({ waiting_for }) => waiting_for === 'content');
  expect(reason).toMatchObject({ who: a, subject: a, because: expect.stringContaining('vm-0-1') as string });
  expect(reason.because).toContain('the list of instances knows nothing of it');
  await eventually('the other host is maintained', () =>
    Promise.resolve(announcedIn(stage, sessionId).length > 0 || undefined),
  );
  expect(announcedIn(stage, sessionId)).toEqual([unlisted.host('b')]);
  expect((await admin.detail(sessionId)).hosts).toContainEqual(
    expect.objectContaining({
      hostname: a,
      phase: 'waiting',
      disabled: false,
      details: expect.stringContaining('vm-0-1') as string,
    }),
  );
  await repair(db, { name: vm, enable: false });
  await admin.until(sessionId, 'MAINTENANCE_DONE');
});

story('waits for the way back of a resized instance, and names its project', async (stage) => {
  const { admin, db } = stage;
  const [a, vm] = [resized.host('a'), resized.instance(1)];
  await resizeInstance(db, vm, resized.host('c'));
  const sessionId = await admin.create({ hosts: [a, resized.host('b')] });
  const reason = await admin.untilReason(sessionId, ({ waiting_for }) => waiting_for === 'content');
  expect(reason).toMatchObject({ who: a, subject: resized.project(1) });
  expect(reason.help).toContain('confirms or reverts the resize');
  await confirmResize(db, vm);
  const { hosts } = await admin.until(sessionId, 'MAINTENANCE_DONE');
  expect(hosts.every(({ details }) => details === '')).toBe(true);
});

story('takes a host of which nothing is known neither for empty nor for gone', async (stage) => {
  const { admin, db } = stage;
  stage.manage(silent.project(1), acknowledge);
  const a = silent.host('a');
  await setSilent(db, a, true);
  const sessionId = await admin.create({ hosts: silent.hostNames });
  const reason = await admin.untilReason(sessionId, ({ waiting_for }) => waiting_for === 'content');
  expect(reason).toMatchObject({ who: a, because: expect.stringContaining('nobody knows what is on host') as string });
  await repair(db, { name: a, enable: false });
  const { instances } = await admin.until(sessionId, 'MAINTENANCE_DONE');
  expect(instances).toMatchObject([{ instance_id: silent.instance(1), state: 'ACTIVE' }]);
});

for (const [workflow, zone] of [
  ['default', guests],
  ['vnf', guestsOfVnf],
] as const) {
  story(`stops the plug-ins of a host when an instance comes to it, and drains it (${workflow})`, async (stage) => {
    const { admin, events } = stage;
    stage.manage(zone.project(1), acknowledge);
    const [a, vm] = [zone.host('a'), zone.instance(1)];
    const actions = [alpha, beta].map(({ name: plugin }) => ({ plugin, type: 'host' }));
    const sessionId = await admin.create({ hosts: [a], workflow, actions });
    await admin.until(sessionId, 'MAINTENANCE_DONE');
    const told = await events.until(sessionId, 'maintenance.session', 'MAINTENANCE_DONE');
    expect(sessionEvents(told)).toContainEqual(expect.objectContaining({ came: { host: a, instance_ids: [vm] } }));
    expect(hostEvents(told)[a]).toEqual(['IN_MAINTENANCE', 'MAINTENANCE_COMPLETE']);
    expect(seenBeside.filter(({ host }) => host === a)).toEqual([{ host: a, instances: 0 }]);
  });
}

story('fails a host that does not come back, and begins no other', async (stage) => {
  const { admin, db } = stage;
  const actions = [{ plugin: 'breaks-down', type: 'host' }];
  const hosts = neverBack.hostNames;
  const canary = { hosts: 1 };
  const sessionId = await admin.create({ hosts, actions, canary, host_start_seconds: 1 });
  const { session } = await admin.until(sessionId, 'MAINTENANCE_FAILED');
  expect(session.failure).toMatch(/did not come back.*not seen it up within 1 s/);
  expect(await db.simHost.count({ where: { name: { in: [...hosts] }, isDown: true } })).toBe(1);
  // Nothing may come to it when it is up again.
  expect(await db.simHost.findFirst({ where: { name: { in: [...hosts] }, isDown: true } })).toMatchObject({
    disabled: true,
    disabledReason: `maintenance session ${sessionId}`,
  });
});

story('counts a host as maintained only when it is up again', async (stage) => {
  const { admin, db } = stage;
  const a = backLater.host('a');
  const sessionId = await admin.create({ hosts: [a], actions: [{ plugin: 'breaks-down', type: 'host' }] });
  const reason = await admin.untilReason(sessionId, ({ waiting_for }) => waiting_for === 'start');
  expect(reason).toMatchObject({ who: a, subject: a });
  expect((await admin.detail(sessionId)).percent_done).toBe(0);
  await repair(db, { name: a, enable: false });
  expect(await admin.until(sessionId, 'MAINTENANCE_DONE')).toMatchObject({ percent_done: 100 });
});

story(
  'counts a host as maintained only when its devices are there again, and nothing new keeps instances away',
  async (stage) => {
    const { admin, db } = stage;
    stage.manage(devicesLater.project(1), acknowledge);
    const a = devicesLater.host('a');
    const actions = [{ plugin: 'loses-devices', type: 'host' }];
    // Its only instance fits on the host alone that is out, once that is itself again.
    const sessionId = await admin.create({ hosts: devicesLater.hostNames, actions });
    const lacks = async (words: string) => {
      const { because } = await admin.untilReason(
        sessionId,
        ({ waiting_for, because: why }) => waiting_for === 'start' && why?.includes(words) === true,
      );
      return because;
    };
    expect(await lacks('gpus')).toBe(
      'it is not as it was before its drain: it offers 0 of 8 gpus, ' +
        'it keeps instances away by agent-not-ready, which it did not before',
    );
    await setLacking(db, a, []);
    expect(await lacks('drain: it keeps instances away by agent-not-ready')).not.toContain('gpus');
    expect((await admin.detail(sessionId)).percent_done).toBe(0);
    await repair(db, { name: a, enable: false });
    // The devices of the other one have been taken out for good.
    const b = devicesLater.host('b');
    await admin.untilReason(sessionId, ({ who, because }) => who === b && because?.includes('8 gpus') === true);
    const { status, body } = await admin.call('POST', `/maintenance/${sessionId}/hosts/${b}/ignore`);
    expect({ status, body }).toMatchObject({ status: 200, body: { ignored_marks: ['gpus', 'agent-not-ready'] } });
    expect(await admin.until(sessionId, 'MAINTENANCE_DONE')).toMatchObject({ percent_done: 100 });
  },
);

story('fails a host whose devices do not come back, and says what it lacks', async ({ admin }) => {
  const actions = [{ plugin: 'loses-devices', type: 'host' }];
  const sessionId = await admin.create({ hosts: devicesGone.hostNames, actions, host_start_seconds: 1 });
  const { session } = await admin.until(sessionId, 'MAINTENANCE_FAILED');
  expect(session.failure).toMatch(/did not come back: it is up, but .*it offers 0 of 8 gpus.* within 1 s/);
});

story('tells of an instance that comes to a host that failed', async (stage) => {
  const { admin, db, events } = stage;
  stage.manage(onFailed.project(1), acknowledge);
  const [a, vm] = [onFailed.host('a'), onFailed.instance(1)];
  const actions = [{ plugin: 'fails-on-a', type: 'host' }];
  const sessionId = await admin.create({ hosts: [a, onFailed.host('b')], actions, max_failed_hosts: 1 });
  await eventually(
    `host ${a} is set aside`,
    async () =>
      (await db.sessionHost.count({ where: { sessionId, hostname: a, phase: 'set_aside' } })) > 0 || undefined,
  );
  await moveInstance(db, vm, a);
  const { hosts } = await admin.until(sessionId, 'MAINTENANCE_DONE');
  const told = await events.until(sessionId, 'maintenance.session', 'MAINTENANCE_DONE');
  expect(sessionEvents(told)).toContainEqual(expect.objectContaining({ came: { host: a, instance_ids: [vm] } }));
  expect(hosts.find(({ hostname }) => hostname === a)).toMatchObject({
    details: expect.stringMatching(/instance vm-7-1 .* came to it while it was out of use/) as string,
  });
  const { body } = await admin.call('GET', `/maintenance/${sessionId}/detail?view=summary`);
  expect((body as SessionSummaryBody).blockers).toContainEqual(
    expect.objectContaining({ kind: 'host_occupied', subject: a, owner: 'operator' }),
  );
});

// What comes to a host out of use by others is what these stories are about.
judgeTrace({ isExpected: ({ rule, what }) => rule === 'R5' && /comes to z[347]-a/.test(what) });
