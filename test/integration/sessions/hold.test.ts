/** A person works on a host: the action plug-in hold, its release, its reminders, and its end without a release. */
import { Prisma } from '@prisma/client';
import type { WaitingBody } from '../../../api/schemas/waiting-schema';
import type { ActionPlugin } from '../../../plugins/actions/action-plugin';
import { aZone } from '../../builders/a-zone';
import { eventually } from '../../waiting/eventually';
import { hostEvents } from '../rig/event-log';
import { acknowledge } from '../rig/manager';
import { type Stage, tellSideBySide } from '../rig/side-by-side';

const released = aZone(0, { hosts: { a: {}, b: {} }, instances: [[1, 'a']] });
const failed = aZone(1, { hosts: { a: {} } });
const forgotten = aZone(2, { hosts: { a: {} } });
const aborted = aZone(3, { hosts: { a: {} } });

const recorded: ActionPlugin = { name: 'zeta', run: ({ host }) => Promise.resolve({ state: host?.name ?? '' }) };

const { story, judgeTrace } = tellSideBySide({
  zones: [released, failed, forgotten, aborted],
  actionPlugins: [recorded],
});

const hold = (metadata = {}) => ({ plugin: 'hold', type: 'host', metadata });

const untilHeld = ({ admin }: Stage, sessionId: string, host: string) =>
  eventually(`a person is waited for on ${host}`, async () => {
    const { hosts } = await admin.detail(sessionId);
    const waiting = hosts.find(({ hostname }) => hostname === host)?.['waiting'] as WaitingBody | null;
    return waiting?.waiting_for === 'release' ? waiting : undefined;
  });

const releasing =
  ({ admin }: Stage, sessionId: string, host: string) =>
  (body: object) =>
    admin.call('POST', `/maintenance/${sessionId}/hosts/${host}/release`, body);

story('waits with the host in hand until a person releases it, and goes on with its other plug-ins', async (stage) => {
  const { admin, db, events, manage } = stage;
  manage(released.project(1), acknowledge);
  const host = released.host('a');
  const actions = [hold({ task: 'swap the disk in bay 3' }), { plugin: 'zeta', type: 'host' }];
  const sessionId = await admin.create({ hosts: [host], actions });
  expect(await untilHeld(stage, sessionId, host)).toMatchObject({
    ...{ because: 'swap the disk in bay 3', remaining_seconds: null },
  });
  expect(await db.actionPluginInstance.count({ where: { sessionId, plugin: 'zeta' } })).toBe(0);
  const release = releasing(stage, sessionId, host);
  const spare = `/maintenance/${sessionId}/hosts/${released.host('b')}/release`;
  expect(await admin.call('POST', spare, { outcome: 'done' })).toMatchObject({ status: 404 });
  expect(await release({ outcome: 'perhaps' })).toMatchObject({ status: 422 });
  const done = { outcome: 'done', note: 'a new disk' };
  expect(await release(done)).toMatchObject({ status: 200, body: { changed: true } });

  const { action_plugin_instances: records } = await admin.until(sessionId, 'MAINTENANCE_DONE');
  expect(records).toMatchObject([
    { plugin: 'hold', state: 'released: a new disk' },
    { plugin: 'zeta', state: host },
  ]);
  expect(await release(done)).toMatchObject({ status: 422, body: { code: 'HOST_NOT_HELD' } });
  const told = await events.until(sessionId, 'maintenance.session', 'MAINTENANCE_DONE');
  const held = told.flatMap(({ payload }) => payload['held'] ?? []);
  expect(held).toMatchObject([{ host, task: 'swap the disk in bay 3' }]);
  expect(hostEvents(told)[host]).toEqual(['IN_MAINTENANCE', 'MAINTENANCE_COMPLETE']);
});

story('fails the host where the person says so', async (stage) => {
  const host = failed.host('a');
  const sessionId = await stage.admin.create({ hosts: [host], actions: [hold()] });
  await untilHeld(stage, sessionId, host);
  await releasing(stage, sessionId, host)({ outcome: 'failed', note: 'no spare part' });
  const { session } = await stage.admin.until(sessionId, 'MAINTENANCE_FAILED');
  expect(session.failure).toContain('a person said so at the release: no spare part');
});

story('reminds, fails the host in the end, and holds it again when the session is continued', async (stage) => {
  const { admin, events } = stage;
  const host = forgotten.host('a');
  const actions = [hold({ task: 'flash it', remind_seconds: 1, fail_seconds: 12 })];
  const sessionId = await admin.create({ hosts: [host], actions });
  const { session } = await admin.until(sessionId, 'MAINTENANCE_FAILED');
  expect(session.failure).toContain('nobody released the host within 12 s');
  const told = await events.until(sessionId, 'maintenance.session', 'MAINTENANCE_FAILED');
  expect(told.flatMap(({ payload }) => payload['held'] ?? []).length).toBeGreaterThan(1);
  await admin.call('PUT', `/maintenance/${sessionId}`, {});
  await untilHeld(stage, sessionId, host);
  await releasing(stage, sessionId, host)({ outcome: 'done' });
  const { hosts } = await admin.until(sessionId, 'MAINTENANCE_DONE');
  expect(hosts).toMatchObject([{ hostname: host, maintained: true }]);
});

story('gives the host of an aborted session back when the person is done, and not before', async (stage) => {
  const host = aborted.host('a');
  const sessionId = await stage.admin.create({ hosts: [host], actions: [hold()] });
  await untilHeld(stage, sessionId, host);
  await stage.admin.call('POST', `/maintenance/${sessionId}/abort`, {});
  await eventually('the host is to be given back, and waits', () =>
    stage.db.sessionHost
      .findFirst({ where: { sessionId, phase: 'releasing', NOT: { findings: { equals: Prisma.DbNull } } } })
      .then((row) => row ?? undefined),
  );
  expect(await untilHeld(stage, sessionId, host)).toMatchObject({ waiting_for: 'release' });
  expect(await stage.db.simHost.findFirst({ where: { name: host } })).toMatchObject({ disabled: true });
  await releasing(stage, sessionId, host)({ outcome: 'done' });
  const { hosts } = await stage.admin.until(sessionId, 'MAINTENANCE_FAILED');
  expect(hosts).toMatchObject([{ hostname: host, disabled: false, maintained: false }]);
  expect(await stage.db.sessionHost.findFirst({ where: { sessionId } })).toMatchObject({ hold: null });
});

judgeTrace();
