/**
 * Every control while work is in flight, with the worker killed right after it: nothing is lost or done twice, and
 * after an abort or a deletion no host is left disabled. All sessions share one rig and the deaths of its worker. The
 * answer to each control from every state is in test/integration/api/every-request.test.ts: what a session waits for
 * decides here, and a pre plug-in holds it alike in whichever state it begins.
 */
import type { ActionPlugin } from '../../../plugins/actions/action-plugin';
import { aFleetFile, aFleetHost } from '../../builders/a-fleet-file';
import { anOpenWindow } from '../../builders/a-window';
import { aFleetOfZones, aZone, type Zone } from '../../builders/a-zone';
import { eventually } from '../../waiting/eventually';
import { untilDoneAtLast } from '../continue/continued-session';
import { factsOf, hostsLeftDisabled } from '../continue/session-facts';
import { type Admin, anAdmin } from '../rig/admin';
import { endHeldMoves, heldMoveSeconds, timeForHeldMoves } from '../rig/held-moves';
import { startWorkerToKill } from '../rig/killed-worker';
import { type Manager, type Policy, startManager } from '../rig/manager';
import { type Rig, startRig } from '../rig/rig';

const treatments = ['steered', 'aborted', 'deleted'] as const;
type Treatment = (typeof treatments)[number];

/** The status of each answer. */
interface Answers {
  readonly canary: number;
  readonly first: number;
  readonly skip: number;
  readonly retry: number;
}

interface Held {
  readonly situation: string;
  readonly state: string;
  /** The session begins in this state and stays in it until the controls have been used. */
  readonly request: Readonly<Record<string, unknown>>;
  /** An instance of each session is being moved from the first host, or its project is asked about it. */
  readonly zones?: Readonly<Record<Treatment, Zone>>;
  readonly answers: Answers;
  readonly percentDone: number;
  /** An abort or a deletion is tried where each meets other work in flight. */
  readonly treatments: readonly Treatment[];
  /** Its aborted session is continued: before its first state, and in the middle of its work. */
  readonly isContinued?: true;
}

const isAnswered = { canary: 200, first: 200, skip: 200, retry: 200 };
const held = (type: string, fields: object = {}) => ({ actions: [{ plugin: 'holds', type }], ...fields });
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

/** Each with an instance on the first host. It fits on no host beside those of its zone. */
const zonesFrom = (number: number, moveSeconds: number): Readonly<Record<Treatment, Zone>> => {
  const zone = (n: number) => aZone(n, { hosts: { a: {}, b: {} }, instances: [[1, 'a', { move_s: moveSeconds }]] });
  return { steered: zone(number), aborted: zone(number + 1), deleted: zone(number + 2) };
};
const moving = zonesFrom(0, heldMoveSeconds);
const asked = zonesFrom(3, 20);

const cases: readonly Held[] = [
  {
    ...{ situation: 'MAINTENANCE', state: 'MAINTENANCE', answers: isAnswered, percentDone: 100 },
    ...{ treatments: ['steered'] },
    request: { maintenance_at: inHours(1) },
  },
  {
    ...{ situation: 'SCALE_IN', state: 'SCALE_IN', answers: isAnswered, percentDone: 100 },
    ...{ request: held('pre', { state: 'SCALE_IN' }), isContinued: true, treatments: ['steered', 'aborted'] },
  },
  {
    ...{ situation: 'PLANNED_MAINTENANCE', state: 'PLANNED_MAINTENANCE', request: held('host'), percentDone: 100 },
    ...{ answers: { canary: 422, first: 200, skip: 422, retry: 200 }, isContinued: true, treatments },
  },
  {
    ...{ situation: 'PLANNED_MAINTENANCE with a move in flight', state: 'PLANNED_MAINTENANCE', zones: moving },
    request: { state: 'PLANNED_MAINTENANCE' },
    ...{ answers: { canary: 422, first: 422, skip: 200, retry: 422 }, percentDone: 50, treatments },
  },
  {
    ...{ situation: 'PLANNED_MAINTENANCE with an open question', state: 'PLANNED_MAINTENANCE', zones: asked },
    request: { state: 'PLANNED_MAINTENANCE' },
    ...{ answers: { canary: 422, first: 422, skip: 200, retry: 200 }, percentDone: 100, treatments },
  },
  {
    ...{ situation: 'MAINTENANCE_COMPLETE', state: 'MAINTENANCE_COMPLETE', request: held('post'), percentDone: 100 },
    ...{ answers: { canary: 422, first: 422, skip: 422, retry: 422 }, treatments: ['steered'] },
  },
];

const hostsOf = ({ situation, zones }: Held, treatment: Treatment): readonly string[] =>
  zones?.[treatment].hostNames ??
  (treatment === 'steered' ? ['a', 'b'] : ['a']).map((name) => `${situation}-${treatment}-${name}`);

/** Without capacity for any instance. */
const emptyHosts = cases
  .filter(({ zones }) => zones === undefined)
  .flatMap((one) => one.treatments.flatMap((treatment) => hostsOf(one, treatment)))
  .map((name) => aFleetHost({ name, vcpus: 1, memory_mb: 1, maintenance_s: 10 }));
const zones = [moving, asked].flatMap((three) => Object.values(three));
const zoned = aFleetOfZones(zones);
const fleet = aFleetFile({ ...zoned, hosts: [...zoned.hosts, ...emptyHosts] });

const environment = {
  PARLEY_SIM_SPEED: '100',
  PARLEY_MAX_SESSIONS: '30',
  PARLEY_PROJECT_REPLY_SECONDS: '3600',
  ...timeForHeldMoves,
};

/** Runs in the worker that lives on. */
const holds: ActionPlugin = { name: 'holds', run: () => Promise.resolve({ state: 'done' }) };
/** About their instances, as long as the controls are used. */
const silentProjects = new Set(Object.values(asked).map(({ project }) => project(1)));
let isSilent = true;

let rig: Rig;
let admin: Admin;
let managers: readonly Manager[] = [];
/** The sessions by situation and treatment. */
const sessions = new Map<string, string>();
const sessionOf = ({ situation }: Held, treatment: Treatment): string =>
  sessions.get(`${situation} ${treatment}`) ?? '';

const untilHeld = async (one: Held, treatment: Treatment): Promise<void> => {
  const sessionId = sessionOf(one, treatment);
  await admin.until(sessionId, one.state);
  const [running, zone] = [{ sessionId, status: 'running' }, one.zones?.[treatment]];
  if (one.request['actions'] !== undefined) {
    await untilAny('its plug-in runs', () => rig.db.actionPluginInstance.count({ where: running }));
  }
  if (zone === undefined) return;
  const instanceId = zone.instance(1);
  await untilAny('its other host is maintained', () =>
    rig.db.sessionHost.count({ where: { sessionId, maintained: true } }),
  );
  await untilAny('its instance moves, or is asked about', () =>
    one.zones === moving
      ? rig.db.simMove.count({ where: { instanceId } })
      : rig.db.question.count({ where: { sessionId, instanceId, askedAt: { not: null } } }),
  );
};

const untilAny = (what: string, count: () => Promise<number>): Promise<unknown> =>
  eventually(what, async () => (await count()) || undefined);

const expectAnswer = async (method: string, path: string, { body, status }: { body?: object; status: number }) => {
  const answer = await admin.call(method, `/maintenance/${path}`, body);
  expect([path, answer.status, status === 200 && answer.body]).toEqual([path, status, status === 200 && answer.body]);
};

/** The worker is killed after each of them. */
const rounds: readonly ((one: Held) => Promise<void>)[] = [
  async (one) => {
    const steered = sessionOf(one, 'steered');
    const change = {
      ...{ max_parallel_hosts: 1, max_failed_hosts: 1, failed_hosts: 'enable', reply_policy: { silence: 'skip_host' } },
      ...{ windows: [anOpenWindow()], deadline: inHours(9) },
    };
    const canary = { hosts: hostsOf(one, 'steered').slice(1) };
    await expectAnswer('PATCH', steered, { body: change, status: 200 });
    await expectAnswer('PATCH', steered, { body: { canary }, status: one.answers.canary });
    await askAbout(one, 1, 'first');
    if (one.treatments.includes('aborted')) {
      await expectAnswer('POST', `${sessionOf(one, 'aborted')}/abort`, { status: 200 });
    }
    if (one.treatments.includes('deleted')) await expectAnswer('DELETE', sessionOf(one, 'deleted'), { status: 200 });
  },
  async (one) => {
    // Else the session would be over before its last host is retried.
    if (one.zones === asked) await expectAnswer('POST', `${sessionOf(one, 'steered')}/pause`, { status: 200 });
    await askAbout(one, 0, 'skip');
  },
  async (one) => {
    if (one.zones === asked) await untilSkipped(one);
    await askAbout(one, 0, 'retry');
    await expectAnswer('POST', `${sessionOf(one, 'steered')}/pause`, { status: 200 });
    await expectAnswer('PUT', sessionOf(one, 'steered'), { status: 422 });
  },
  async (one) => {
    // A question that comes after this is answered: those sessions go on to their ends.
    isSilent = false;
    await resumeSteered(one);
    if (one.treatments.includes('aborted') && one.zones !== moving) await seeAborted(one);
    if (one.isContinued) await expectAnswer('PUT', sessionOf(one, 'aborted'), { body: {}, status: 200 });
  },
];

const mayMoveStart = ({ state }: Held): number => (state === 'MAINTENANCE' ? 200 : 422);

/** Every change has outlived the deaths of the worker. */
const resumeSteered = async (one: Held): Promise<void> => {
  const sessionId = sessionOf(one, 'steered');
  const { session } = await admin.detail(sessionId);
  expect(session).toMatchObject({ max_parallel_hosts: 1, max_failed_hosts: 1, failed_hosts: 'enable' });
  expect(session).toMatchObject({ paused_at: expect.any(String) as string, deadline_missed: null });
  await expectAnswer('PATCH', sessionId, { body: { maintenance_at: inHours(0) }, status: mayMoveStart(one) });
  await expectAnswer('POST', `${sessionId}/resume`, { status: 200 });
};

/** Once nothing of the session is in flight any more: it fails only then, and leaves no host disabled. */
const seeAborted = async (one: Held): Promise<void> => {
  const sessionId = sessionOf(one, 'aborted');
  const { session } = await admin.until(sessionId, 'MAINTENANCE_FAILED');
  const failure = expect.stringMatching(/^aborted by the admin/) as string;
  expect(session).toMatchObject({ prev_state: one.state, failure });
  expect(await hostsLeftDisabled(rig, hostsOf(one, 'aborted'))).toEqual([]);
};

const askAbout = (one: Held, host: 0 | 1, what: 'first' | 'skip' | 'retry'): Promise<void> => {
  const name = encodeURIComponent(hostsOf(one, 'steered')[host] ?? '');
  return expectAnswer('POST', `${sessionOf(one, 'steered')}/hosts/${name}/${what}`, { status: one.answers[what] });
};

const untilSkipped = (one: Held): Promise<unknown> =>
  untilAny('its host is skipped', () =>
    rig.db.sessionHost.count({ where: { sessionId: sessionOf(one, 'steered'), phase: 'skipped' } }),
  );

beforeAll(async () => {
  rig = await startRig({ fleet, environment, actionPlugins: [holds] });
  await rig.stopWorker();
  let worker = await startWorkerToKill(rig, environment);
  admin = anAdmin(rig.url);
  managers = zones.map(({ project }) => {
    const policy: Policy = ({ state }) =>
      isSilent && silentProjects.has(project(1)) && state.startsWith('P') ? undefined : { answer: 'ACK' };
    return startManager({ url: rig.url, projectId: project(1), policy });
  });
  for (const one of cases) {
    for (const treatment of one.treatments) {
      const session = { workflow: 'vnf', hosts: hostsOf(one, treatment), ...one.request };
      sessions.set(`${one.situation} ${treatment}`, await admin.create(session));
    }
  }
  await Promise.all(cases.flatMap((one) => one.treatments.map((treatment) => untilHeld(one, treatment))));
  for (const [index, round] of rounds.entries()) {
    if (index > 0) worker = await startWorkerToKill(rig, environment);
    await Promise.all(cases.map(round));
    await worker.kill();
  }
  await rig.restartWorker();
  await endHeldMoves(
    rig.db,
    Object.values(moving).flatMap(({ instances }) => instances),
  );
  await Promise.all(cases.filter((one) => one.zones === moving).map(seeAborted));
});
afterAll(async () => {
  for (const manager of managers) manager.stop();
  await rig.stop();
});

describe.each(cases)('in $situation', (one) => {
  it('keeps every change over the deaths of its worker, and goes on to its end when it is resumed', async () => {
    const sessionId = sessionOf(one, 'steered');
    const done = await admin.until(sessionId, 'MAINTENANCE_DONE');
    expect(done.percent_done).toBe(one.percentDone);
    const { announced, maintained } = await factsOf(rig, sessionId);
    expect(announced.toSorted()).toEqual(maintained.toSorted());
    expect(await hostsLeftDisabled(rig, hostsOf(one, 'steered'))).toEqual([]);
  });
});

const treated = (treatment: Treatment) => cases.filter(({ treatments: given }) => given.includes(treatment));

it.each(treated('aborted'))('in $situation a session is aborted though its worker is killed', async (one) => {
  expect((await factsOf(rig, sessionOf(one, 'aborted'))).states).toContain('MAINTENANCE_FAILED');
});

it.each(treated('deleted'))(
  'in $situation a session is deleted though its worker is killed, and leaves no host disabled',
  async (one) => {
    await eventually('it is gone', async () => {
      return (await admin.call('GET', `/maintenance/${sessionOf(one, 'deleted')}`)).status === 404 || undefined;
    });
    expect(await hostsLeftDisabled(rig, hostsOf(one, 'deleted'))).toEqual([]);
  },
);

it.each(cases.filter(({ isContinued }) => isContinued))(
  'in $situation an aborted session goes on to its end when it is continued, though its worker is killed',
  async (one) => {
    expect((await untilDoneAtLast(admin, sessionOf(one, 'aborted'))).percent_done).toBe(100);
    expect(await hostsLeftDisabled(rig, hostsOf(one, 'aborted'))).toEqual([]);
  },
);
