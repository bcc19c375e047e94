/**
 * Every control while work is in flight, from every state, with the worker killed right after it: nothing is lost or
 * done twice, and after an abort or a deletion no host is left disabled. All sessions share one rig and one death of
 * the worker. The answer to each control from every state is in test/integration/api/every-control.test.ts.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { ActionPlugin } from '../../../plugins/actions/action-plugin';
import { aFleetFile, aFleetHost } from '../../builders/a-fleet-file';
import { anOpenWindow } from '../../builders/a-window';
import { eventually } from '../../waiting/eventually';
import { factsOf, hostsLeftDisabled } from '../resume/session-facts';
import { type Admin, anAdmin } from '../rig/admin';
import { type Rig, startRig } from '../rig/rig';

interface Held {
  readonly state: string;
  /** The session begins in this state and stays in it by its plug-in, until the controls have been used. */
  readonly request: Readonly<Record<string, unknown>>;
  /** Its hosts are in maintenance or back already. */
  readonly isBegun?: true;
}

const held = (type: string, fields: object = {}) => ({ actions: [{ plugin: 'holds', type }], ...fields });
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

const cases: readonly Held[] = [
  { state: 'MAINTENANCE', request: { maintenance_at: inHours(1) } },
  ...['SCALE_IN', 'PREPARE_MAINTENANCE', 'START_MAINTENANCE'].map((state) => ({
    state,
    request: held('pre', { state }),
  })),
  { state: 'PLANNED_MAINTENANCE', request: held('host'), isBegun: true },
  { state: 'MAINTENANCE_COMPLETE', request: held('post'), isBegun: true },
];

const treatments = ['steered', 'aborted', 'deleted'] as const;
const hostsOf = (state: string, treatment: string) => ['a', 'b'].map((name) => `${state}-${treatment}-${name}`);

const fleet = aFleetFile({
  instances: [],
  hosts: cases.flatMap(({ state }) =>
    treatments.flatMap((treatment) => hostsOf(state, treatment).map((name) => aFleetHost({ name, maintenance_s: 10 }))),
  ),
});

let isHeld = true;
const holds: ActionPlugin = {
  name: 'holds',
  async run({ signal }) {
    while (isHeld) await pause(100, undefined, { signal });
    return { state: 'done' };
  },
};

let rig: Rig;
let admin: Admin;
/** By state and treatment. */
const sessions = new Map<string, string>();
const sessionOf = (state: string, treatment: string): string => sessions.get(`${state} ${treatment}`) ?? '';

const untilHeld = async ({ state, request }: Held, sessionId: string): Promise<void> => {
  await admin.until(sessionId, state);
  if (request['actions'] === undefined) return;
  await eventually('its plug-in runs', async () => {
    return (await rig.db.actionPluginInstance.count({ where: { sessionId, status: 'running' } })) || undefined;
  });
};

const expectAnswer = async (
  method: string,
  path: string,
  { body, status = 200 }: { body?: object; status?: number },
) => {
  const answer = await admin.call(method, `/maintenance/${path}`, body);
  expect([path, answer.status, status === 200 && answer.body]).toEqual([path, status, status === 200 && answer.body]);
};

const use = async ({ state, isBegun }: Held): Promise<void> => {
  const [steered, aborted, deleted] = treatments.map((treatment) => sessionOf(state, treatment));
  const [a = '', b = ''] = hostsOf(state, 'steered');
  const notBegun = isBegun === true ? 422 : 200;
  const change = {
    ...{ max_parallel_hosts: 1, max_failed_hosts: 1, failed_hosts: 'enable', reply_policy: { silence: 'skip_host' } },
    ...{ windows: [anOpenWindow()], deadline: inHours(9) },
  };
  await expectAnswer('PATCH', `${steered}`, { body: change });
  await expectAnswer('PATCH', `${steered}`, { body: { canary: { hosts: [b] } }, status: notBegun });
  await expectAnswer('POST', `${steered}/hosts/${b}/first`, { status: state === 'MAINTENANCE_COMPLETE' ? 422 : 200 });
  await expectAnswer('POST', `${steered}/hosts/${a}/skip`, { status: notBegun });
  await expectAnswer('POST', `${steered}/hosts/${a}/retry`, { status: notBegun === 200 ? 200 : isOver(state) });
  await expectAnswer('POST', `${steered}/hosts/${a}/skip`, { status: notBegun });
  await expectAnswer('POST', `${steered}/pause`, {});
  await expectAnswer('PUT', `${steered}`, { status: 422 });
  await expectAnswer('POST', `${aborted}/abort`, {});
  await expectAnswer('DELETE', `${deleted}`, {});
};

/** Of a host in maintenance, retry says what is so already; once its session has ended its work, it is refused. */
const isOver = (state: string): number => (state === 'MAINTENANCE_COMPLETE' ? 422 : 200);

beforeAll(async () => {
  rig = await startRig({
    fleet,
    environment: { PARLEY_SIM_SPEED: '100', PARLEY_MAX_SESSIONS: '30' },
    actionPlugins: [holds],
  });
  admin = anAdmin(rig.url);
  for (const { state, request } of cases) {
    for (const treatment of treatments) {
      const hosts = hostsOf(state, treatment);
      sessions.set(`${state} ${treatment}`, await admin.create({ workflow: 'vnf', hosts, ...request }));
    }
  }
  await Promise.all(cases.flatMap((one) => treatments.map((what) => untilHeld(one, sessionOf(one.state, what)))));
  await Promise.all(cases.map(use));
  await rig.restartWorker();
  isHeld = false;
});
afterAll(() => rig.stop());

describe.each(cases)('in $state', ({ state, isBegun }) => {
  it('keeps every change over the death of its worker, and goes on when it is resumed', async () => {
    const sessionId = sessionOf(state, 'steered');
    const { session } = await admin.detail(sessionId);
    expect(session).toMatchObject({ max_parallel_hosts: 1, max_failed_hosts: 1, failed_hosts: 'enable' });
    expect(session).toMatchObject({ paused_at: expect.any(String) as string, deadline_missed: null });
    const start = { maintenance_at: inHours(0) };
    const moved = await admin.call('PATCH', `/maintenance/${sessionId}`, start);
    expect(moved.status).toBe(state === 'MAINTENANCE' ? 200 : 422);
    expect((await admin.call('POST', `/maintenance/${sessionId}/resume`)).status).toBe(200);
    const done = await admin.until(sessionId, 'MAINTENANCE_DONE');
    expect(done.percent_done).toBe(isBegun ? 100 : 50);
    const { announced, maintained } = await factsOf(rig, sessionId);
    expect(announced.toSorted()).toEqual(maintained.toSorted());
    expect(await hostsLeftDisabled(rig, hostsOf(state, 'steered'))).toEqual([]);
  });

  it('is aborted though its worker dies, leaves no host disabled, and goes on to its end when it is continued', async () => {
    const sessionId = sessionOf(state, 'aborted');
    const failed = await admin.until(sessionId, 'MAINTENANCE_FAILED');
    expect(failed.session).toMatchObject({
      prev_state: state,
      failure: expect.stringMatching(/^aborted by the admin/) as string,
    });
    expect(await hostsLeftDisabled(rig, hostsOf(state, 'aborted'))).toEqual([]);
    const moved = await admin.call('PATCH', `/maintenance/${sessionId}`, { maintenance_at: inHours(0) });
    expect(moved.status).toBe(state === 'MAINTENANCE' ? 200 : 422);
    expect((await admin.call('PUT', `/maintenance/${sessionId}`, {})).status).toBe(200);
    await eventually({ what: 'it is done', ...admin.watching(sessionId) }, async () => {
      return (await admin.detail(sessionId)).state === 'MAINTENANCE_DONE' || undefined;
    });
    expect((await admin.detail(sessionId)).percent_done).toBe(100);
    expect(await hostsLeftDisabled(rig, hostsOf(state, 'aborted'))).toEqual([]);
  });

  it('is deleted though its worker dies, and leaves no host disabled', async () => {
    const sessionId = sessionOf(state, 'deleted');
    await eventually('it is gone', async () => {
      return (await admin.call('GET', `/maintenance/${sessionId}`)).status === 404 || undefined;
    });
    expect(await hostsLeftDisabled(rig, hostsOf(state, 'deleted'))).toEqual([]);
  });
});
