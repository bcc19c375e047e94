/** A session comes to its end although others leave work half-done, or change its workflow in Temporal. */
import { randomUUID } from 'node:crypto';
import { WorkflowNotFoundError } from '@temporalio/client';
import { createSweepActivities } from '../../../activities/upkeep/sweep-activities';
import { type CloudDriver, CloudRefusal } from '../../../clouds/cloud-driver';
import { recordRequest } from '../../../prisma/session/session-requests';
import { createSession, requestContinue, requestDelete } from '../../../prisma/session/sessions';
import { aConstrainedInstance, aFleetFile, aFleetGroup, aFleetHost, uuidNumber } from '../../builders/a-fleet-file';
import { eventually } from '../../waiting/eventually';
import { aGate } from '../events/a-gate';
import { type Admin, anAdmin, type SessionDetail } from '../rig/admin';
import { endMove, heldMoveSeconds } from '../rig/held-moves';
import { afterStart, heldUntil } from '../rig/held-plugin';
import { type Manager, type Policy, startManager } from '../rig/manager';
import { type Rig, startRig } from '../rig/rig';
import { continueFailed, untilDone, untilDoneAtLast, untilFailed, untilIt } from './continued-session';
import { entryOf, resetByHand, resetOneByOne, type Task } from './reset-by-hand';
import { expectWorkDoneToStay, factsOf, failureInTemporal, hostsLeftDisabled } from './session-facts';

/** Sessions with a host to start with and one whose instance moves there. */
const movers = ['terminated', 'moving', 'asking'] as const;
type Mover = (typeof movers)[number];
/** Sessions without instances. */
const plain = [
  'posted',
  'aborted',
  'resumed',
  'deleted',
  'removed',
  'failed-entry',
  'failed-first',
  'unattended',
  'refused',
] as const;
type Plain = (typeof plain)[number];

const projectOf = (mover: Mover) => uuidNumber(901 + movers.indexOf(mover));
const instanceOf = (mover: Mover) => uuidNumber(1 + movers.indexOf(mover));
const isPlain = (name: Mover | Plain): name is Plain => plain.some((one) => one === name);
const hostsOf = (name: Mover | Plain) => (isPlain(name) ? [`${name}-1`] : [`${name}-1`, `${name}-2`]);
/** One that a test ends, where several things happen during it. */
const moveSecondsOf = { terminated: 600, moving: heldMoveSeconds, asking: 20 } as const;

/** Without a question the instance only moves; with a question there is time for a reset. */
const leadTimeOf = (mover: Mover) => (mover === 'asking' ? 60 : 0);

const groupOf = (mover: Mover) =>
  aFleetGroup({
    group_id: uuidNumber(501 + movers.indexOf(mover)),
    project_id: projectOf(mover),
    group_name: mover,
    anti_affinity_group: false,
    recovery_time: 0,
    resource_mitigation: false,
  });

const fleet = aFleetFile({
  hosts: [
    // Each size fits one session's instance only.
    ...movers.flatMap((mover) =>
      hostsOf(mover).map((name) => aFleetHost({ name, vcpus: 2, memory_mb: 4096, maintenance_s: 20 })),
    ),
    ...plain.flatMap((name) =>
      hostsOf(name).map((host) => aFleetHost({ name: host, vcpus: 1, memory_mb: 1, maintenance_s: 20 })),
    ),
  ],
  groups: movers.map(groupOf),
  instances: movers.map((mover) =>
    aConstrainedInstance({
      instance_id: instanceOf(mover),
      instance_name: mover,
      project_id: projectOf(mover),
      group_id: groupOf(mover).group_id,
      host: `${mover}-2`,
      lead_time: leadTimeOf(mover),
      max_interruption_time: 600,
      resource_mitigation: false,
      move_s: moveSecondsOf[mover],
    }),
  ),
});

let rig: Rig;
let admin: Admin;
let managers: readonly Manager[];
/** Hosts that the cloud does not let anybody enable now. */
const refused = new Set<string>();
const unlessRefused = (host: string, cloud: CloudDriver): Promise<void> =>
  refused.has(host) ? Promise.reject(new CloudRefusal(`${host} is broken`)) : cloud.enableHost(host);

/** The host's workflow in the story `unattended`. */
const terminated = aGate();
const untilTerminated = heldUntil('until-terminated', () => terminated.passed);

/** Sessions whose manager may answer now. */
const mayAnswer = new Set<string>();

const whenAllowed: Policy = async (event) => {
  if (event.state !== 'PLANNED_MAINTENANCE') return { answer: 'ACK' };
  await eventually('the manager may answer', () => Promise.resolve(mayAnswer.has(event.session_id) || undefined));
  return { answer: 'ACK' };
};

beforeAll(async () => {
  const actionPlugins = [afterStart(() => rig), untilTerminated];
  rig = await startRig({ fleet, actionPlugins, environment: { PARLEY_MAX_SESSIONS: '100' } });
  const { cloud } = rig.services;
  await rig.restartWorker({ cloud: { ...cloud, enableHost: (host) => unlessRefused(host, cloud) } });
  admin = anAdmin(rig.url);
  managers = movers.map((mover) => startManager({ url: rig.url, projectId: projectOf(mover), policy: whenAllowed }));
  begun = new Map(Object.entries(stories).map(([name, story]) => [name, Promise.allSettled([story()])]));
});
afterAll(async () => {
  for (const manager of managers) manager.stop();
  await rig.stop();
});

const action = (type: string, metadata: object = {}) => ({ plugin: 'dummy', type, metadata });

// Changes from outside

const openRequest = (name: Plain, ...actions: object[]) => ({ hosts: hostsOf(name), actions });

/** Leaves a session as an API does that is killed in the middle of a create request: stored, and never started. */
const storedSession = async (name: Plain): Promise<string> => {
  const sessionId = randomUUID();
  const hosts = hostsOf(name).map((hostname) => ({ hostname, type: 'compute' as const, isCompute: true }));
  const facts = { sessionId, workflow: 'default', state: 'MAINTENANCE', maintenanceAt: new Date(), metadata: {} };
  await createSession(rig.db, { session: { ...facts, actions: [], download: [], hosts }, maxSessions: 100 });
  return sessionId;
};

/** True when Temporal knows a workflow with this ID, open or closed. */
const isKnown = async (workflowId: string): Promise<boolean> => {
  try {
    await rig.client.workflow.getHandle(workflowId).describe();
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
};

const failedSession = async (name: Plain) => {
  const sessionId = await admin.create(
    openRequest(name, action('pre'), { ...action('host', { fail_times: 1 }), plugin: 'after-start' }),
  );
  await untilFailed(admin, sessionId);
  return sessionId;
};

const startedMoving = (mover: Mover) =>
  eventually(
    `${mover} moves`,
    async () => (await rig.db.simMove.count({ where: { instanceId: instanceOf(mover) } })) || undefined,
  );

const asked = (mover: Mover) =>
  eventually(`the project of ${mover} is asked`, async () => {
    const where = { projectId: projectOf(mover), state: 'PLANNED_MAINTENANCE', askedAt: { not: null } };
    return (await rig.db.question.count({ where })) || undefined;
  });

const allMovesOf = (mover: Mover) => rig.db.simMove.count({ where: { instanceId: instanceOf(mover) } });

const gone = (sessionId: string) =>
  eventually(`session ${sessionId} is gone`, async () =>
    (await admin.call('GET', `/maintenance/${sessionId}`)).status === 404 ? true : undefined,
  );

const resetWhileMoving = async () => {
  const sessionId = await admin.create({ hosts: hostsOf('moving'), actions: [action('pre'), action('host')] });
  await startedMoving('moving');
  const before = await factsOf(rig, sessionId);
  await resetOneByOne(rig, sessionId, ['last', await entryOf(rig, sessionId, 'START_MAINTENANCE'), 'first']);
  await endMove(rig.db, { instanceId: instanceOf('moving') });
  const done = await untilDone(admin, sessionId);
  return { done, before, after: await factsOf(rig, sessionId), moves: await allMovesOf('moving') };
};

const resetWhileAsking = async () => {
  const sessionId = await admin.create({ hosts: hostsOf('asking'), actions: [action('host')] });
  await asked('asking');
  await resetOneByOne(rig, sessionId, ['last', 'first']);
  mayAnswer.add(sessionId);
  const done = await untilDone(admin, sessionId);
  return { done, after: await factsOf(rig, sessionId), moves: await allMovesOf('asking') };
};

const resetWhenFailed = async (name: Plain, task: (sessionId: string) => Promise<Task>) => {
  const sessionId = await failedSession(name);
  await failureInTemporal(rig, sessionId);
  const before = await factsOf(rig, sessionId);
  await resetByHand(rig, sessionId, await task(sessionId));
  const done = await untilDoneAtLast(admin, sessionId);
  return { done, before, after: await factsOf(rig, sessionId) };
};

const stories = {
  async posted() {
    const sessionId = await storedSession('posted');
    return { done: await untilDone(admin, sessionId) };
  },
  async aborted() {
    const sessionId = await storedSession('aborted');
    await recordRequest(rig.db, { sessionId, request: 'abort' });
    const failed = await untilFailed(admin, sessionId);
    await createSweepActivities(rig.services).sweepOnce();
    const wasStarted = await isKnown(sessionId);
    await continueFailed(admin, sessionId);
    return { failed, wasStarted, done: await untilDone(admin, sessionId) };
  },
  async resumed() {
    const sessionId = await failedSession('resumed');
    const before = await factsOf(rig, sessionId);
    await requestContinue(rig.db, { sessionId, requestId: randomUUID() });
    const done = await untilDoneAtLast(admin, sessionId);
    return { done, before, after: await factsOf(rig, sessionId) };
  },
  async deleted() {
    const sessionId = await admin.create(openRequest('deleted', action('host', { seconds: 600 })));
    await untilIt(admin, { sessionId, what: 'rolls' }, ({ state }) => state === 'PLANNED_MAINTENANCE');
    await requestDelete(rig.db, sessionId);
    await gone(sessionId);
    return { disabled: await hostsLeftDisabled(rig, hostsOf('deleted')) };
  },
  async removed() {
    const sessionId = await failedSession('removed');
    await requestDelete(rig.db, sessionId);
    await gone(sessionId);
    return { sessions: (await admin.call('GET', '/maintenance')).body as { session_id: string[] }, sessionId };
  },
  async terminated() {
    const sessionId = await admin.create({ hosts: hostsOf('terminated'), actions: [action('pre'), action('host')] });
    await startedMoving('terminated');
    await rig.client.workflow.getHandle(sessionId).terminate('by hand');
    const failed = await untilFailed(admin, sessionId);
    const before = await factsOf(rig, sessionId);
    const disabled = await hostsLeftDisabled(rig, hostsOf('terminated'));
    await continueFailed(admin, sessionId);
    const done = await untilDone(admin, sessionId);
    return {
      failed,
      disabled,
      done,
      before,
      after: await factsOf(rig, sessionId),
      moves: await allMovesOf('terminated'),
    };
  },
  async refused() {
    const sessionId = await admin.create(openRequest('refused', action('host', { seconds: 600 })));
    await untilIt(admin, { sessionId, what: 'disables a host' }, ({ hosts }) => hosts.some(({ disabled }) => disabled));
    for (const host of hostsOf('refused')) refused.add(host);
    await admin.call('DELETE', `/maintenance/${sessionId}`);
    const isKept = ({ session }: SessionDetail) => session.failure?.startsWith('not deleted yet') === true;
    const kept = await untilIt(admin, { sessionId, what: 'says why it is kept' }, isKept);
    refused.clear();
    await gone(sessionId);
    return { kept, disabled: await hostsLeftDisabled(rig, hostsOf('refused')) };
  },
  async unattended() {
    const sessionId = await admin.create(openRequest('unattended', { plugin: untilTerminated.name, type: 'host' }));
    const host = await eventually({ what: 'a host is in maintenance', ...admin.watching(sessionId) }, async () => {
      const announced = await rig.db.sessionHost.findFirst({ where: { sessionId, announcedAt: { not: null } } });
      return announced?.hostname;
    });
    await rig.client.workflow.getHandle(`${sessionId}/host/${host}`).terminate('by hand');
    terminated.open();
    return { done: await untilDone(admin, sessionId) };
  },
  moving: resetWhileMoving,
  asking: resetWhileAsking,
  failedEntry: () => resetWhenFailed('failed-entry', (sessionId) => entryOf(rig, sessionId, 'PLANNED_MAINTENANCE')),
  failedFirst: () => resetWhenFailed('failed-first', () => Promise.resolve('first')),
};

/** All at once; each test looks at its own. */
let begun: ReadonlyMap<string, Promise<readonly PromiseSettledResult<unknown>[]>>;

const storyOf = async <N extends keyof typeof stories>(name: N): Promise<Awaited<ReturnType<(typeof stories)[N]>>> => {
  const [story] = await begun.get(name)!;
  if (story?.status !== 'fulfilled') throw story?.reason;
  return story.value as Awaited<ReturnType<(typeof stories)[N]>>;
};

describe('the sweeper', () => {
  it('starts the workflow of a session that was stored but never started', async () => {
    expect((await storyOf('posted')).done.percent_done).toBe(100);
  });

  it('does not start a session that was aborted before it was started; resumed, it runs', async () => {
    const { failed, wasStarted, done } = await storyOf('aborted');
    expect(failed.session.failure).toContain('aborted by the admin');
    expect(wasStarted).toBe(false);
    expect(done).toMatchObject({ percent_done: 100, session: { failure: null } });
  });

  it('carries out a resume that was recorded but never reached Temporal', async () => {
    const { before, after } = await storyOf('resumed');
    expectWorkDoneToStay(before, after);
  });

  it('has a running session end that is to be deleted, and leaves its hosts in use', async () => {
    expect((await storyOf('deleted')).disabled).toEqual([]);
  });

  it('cleans up a failed session that is to be deleted', async () => {
    const { sessions, sessionId } = await storyOf('removed');
    expect(sessions.session_id).not.toContain(sessionId);
  });

  it('fails a session whose workflow was terminated, so that it can be resumed', async () => {
    const { failed, disabled, done, before, after, moves } = await storyOf('terminated');
    expect(failed.session).toMatchObject({
      prev_state: 'PLANNED_MAINTENANCE',
      failure: expect.stringContaining("the session's workflow was ended from outside") as string,
    });
    expect(disabled).toEqual([]);
    expect(done.percent_done).toBe(100);
    expectWorkDoneToStay(before, after);
    expect(moves).toBe(1);
  });
});

it('a deletion goes on once the cloud lets its hosts be enabled, and says until then why not', async () => {
  const { kept, disabled } = await storyOf('refused');
  expect(kept.session).toMatchObject({ deleting: true, failure: expect.stringContaining('is broken') as string });
  expect(disabled).toEqual([]);
});

it('a host whose workflow was terminated during its maintenance is maintained all the same', async () => {
  expect((await storyOf('unattended')).done.percent_done).toBe(100);
});

it('resets by hand to the last task, an earlier state and the very beginning move once what moves already', async () => {
  const { done, before, after, moves } = await storyOf('moving');
  expect(done.percent_done).toBe(100);
  expectWorkDoneToStay(before, after);
  expect(moves).toBe(1);
});

it('resets by hand to the last task and the very beginning ask once what is asked already, and its answer counts', async () => {
  const { done, after, moves } = await storyOf('asking');
  expect(done.percent_done).toBe(100);
  expect(after.asked.filter((question) => question.startsWith('PLANNED_MAINTENANCE '))).toHaveLength(1);
  expect(after.acknowledged.filter((question) => question.startsWith('PLANNED_MAINTENANCE '))).toHaveLength(1);
  expect(moves).toBe(1);
});

describe('a reset by hand of a failed session', () => {
  it.each([
    { situation: 'to the state that failed', name: 'failedEntry' },
    { situation: 'to the very beginning', name: 'failedFirst' },
  ] as const)('$situation comes out like a resume', async ({ name }) => {
    const { done, before, after } = await storyOf(name);
    expect(done.percent_done).toBe(100);
    expect(done.session.failure).toBeNull();
    expectWorkDoneToStay(before, after);
  });
});
