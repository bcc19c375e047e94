/** PUT /v1/maintenance/{session_id}: what it takes, what it refuses, and that it works whenever it is sent. */
import { aFleetFile, aFleetHost } from '../../builders/a-fleet-file';
import { type Admin, anAdmin, type Answer } from '../rig/admin';
import { afterStart } from '../rig/held-plugin';
import { type Rig, startRig } from '../rig/rig';
import { continueToTheEnd } from './continue-to-the-end';
import { askToContinue, continueFailed, untilDone, untilDoneAtLast, untilFailed } from './continued-session';
import { forgetWorkflow } from './forget-workflow';
import { expectWorkDoneToStay, factsOf, failureInTemporal, type SessionFacts } from './session-facts';

const names = ['twice', 'early', 'refused', 'again', 'restarted', 'forgotten', 'unprepared'] as const;
const hostsOf = (name: (typeof names)[number]) => [`${name}-1`];

const fleet = aFleetFile({
  hosts: names.flatMap(hostsOf).map((name) => aFleetHost({ name, maintenance_s: 50 })),
  instances: [],
});

let rig: Rig;
let admin: Admin;

beforeAll(async () => {
  rig = await startRig({ fleet, actionPlugins: [afterStart(() => rig)] });
  admin = anAdmin(rig.url);
  failed = {
    refused: failedSession('refused', action('post', { fail_times: 1 })),
    twice: failedSession('twice', action('pre', { fail_times: 1 }), action('pre', { seconds: 1 })),
    again: failedSession('again', onHost(), action('post', { fail_times: 1 })),
    restarted: failedSession('restarted', onHost({ fail_times: 2 }), action('post', { fail_times: 1 })),
  };
  lost = {
    forgotten: loseHistory('forgotten', { actions: [action('pre'), onHost({ fail_times: 1 })] }),
    unprepared: loseHistory('unprepared', { state: 'START_MAINTENANCE', actions: [action('pre', { fail_times: 1 })] }),
  };
});
afterAll(async () => {
  await Promise.allSettled([...Object.values(failed), ...Object.values(lost)]);
  await rig.stop();
});

const action = (type: string, metadata: object = {}) => ({ plugin: 'dummy', type, metadata });
const onHost = (metadata: object = {}) => ({ plugin: 'after-start', type: 'host', metadata });

/** Begun before the first test, all at once. */
let failed: Readonly<Record<'refused' | 'twice' | 'again' | 'restarted', Promise<string>>>;

const failedSession = (name: keyof typeof failed, ...actions: object[]): Promise<string> => {
  const failing = async (): Promise<string> => {
    const sessionId = await admin.create({ hosts: hostsOf(name), actions });
    await untilFailed(admin, sessionId);
    return sessionId;
  };
  const result = failing();
  result.catch(() => undefined); // its own test reports it
  return result;
};

/** A failed session that Temporal has forgotten. */
interface Lost {
  readonly sessionId: string;
  /** The reason of the failure in Temporal. */
  readonly reason: string | undefined;
  readonly before: SessionFacts;
}

/** Begun before the first test, for it takes its time. */
let lost: Readonly<Record<'forgotten' | 'unprepared', Promise<Lost>>>;

const loseHistory = (name: (typeof names)[number], request: object): Promise<Lost> => {
  const losing = async (): Promise<Lost> => {
    const sessionId = await admin.create({ hosts: hostsOf(name), ...request });
    await untilFailed(admin, sessionId);
    const reason = await failureInTemporal(rig, sessionId);
    const before = await factsOf(rig, sessionId);
    await forgetWorkflow(rig, sessionId);
    return { sessionId, reason, before };
  };
  const result = losing();
  result.catch(() => undefined); // its own test reports it
  return result;
};

const messageOf = ({ body }: Answer) => {
  const { detail, errors } = body as { detail: string; errors?: { message: string }[] };
  return [detail, ...(errors ?? []).map(({ message }) => message)].join('; ');
};

describe('the answer', () => {
  it('is 422 for a state that was never entered and lists those that were', async () => {
    const sessionId = await failed.refused;
    const answer = await askToContinue(admin, sessionId, 'SCALE_IN');
    expect(answer.status).toBe(422);
    expect(messageOf(answer)).toMatch(
      /never in state SCALE_IN.*: MAINTENANCE, START_MAINTENANCE.*MAINTENANCE_COMPLETE/,
    );
  });

  it('is 422 while the session has not failed', async () => {
    const sessionId = await admin.create({ hosts: hostsOf('early'), actions: [action('pre', { seconds: 3 })] });
    const answer = await askToContinue(admin, sessionId);
    expect({ status: answer.status, message: messageOf(answer) }).toEqual({
      status: 422,
      message:
        'the session cannot continue: the session is in state MAINTENANCE, not MAINTENANCE_FAILED; the session is in state MAINTENANCE, not MAINTENANCE_FAILED',
    });
    await untilDone(admin, sessionId);
    expect((await askToContinue(admin, sessionId)).status).toBe(422);
  });

  it('is 200 once when two ask at the same time, and the session goes on once', async () => {
    const sessionId = await failed.twice;
    const answers = await Promise.all([askToContinue(admin, sessionId), askToContinue(admin, sessionId)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect(answers.find(({ status }) => status === 200)?.body).toEqual({
      session_id: sessionId,
      state: 'MAINTENANCE',
    });
    await untilDoneAtLast(admin, sessionId);
    const { plugins, states } = await factsOf(rig, sessionId);
    expect([...plugins.values()].map(({ attempts }) => attempts).sort()).toEqual([1, 2]);
    expect(states.filter((state) => state === 'MAINTENANCE')).toHaveLength(2);
  });
});

it('goes on from an earlier state that is named, and forgets those after it', async () => {
  const sessionId = await failed.again;
  const before = await factsOf(rig, sessionId);
  expect(before.entered).toEqual(['MAINTENANCE', 'START_MAINTENANCE', 'PLANNED_MAINTENANCE', 'MAINTENANCE_COMPLETE']);
  const answer = await askToContinue(admin, sessionId, 'MAINTENANCE');
  expect(answer).toEqual({ status: 200, body: { session_id: sessionId, state: 'MAINTENANCE' } });
  await untilDoneAtLast(admin, sessionId);
  const after = await factsOf(rig, sessionId);
  expectWorkDoneToStay(before, after);
  // All hosts were maintained already, so that PLANNED_MAINTENANCE is not entered again.
  expect(after.entered).toEqual(['MAINTENANCE', 'START_MAINTENANCE', 'MAINTENANCE_COMPLETE', 'MAINTENANCE_DONE']);
});

it('goes on after a second failure as after the first, and after the worker was started anew', async () => {
  const sessionId = await failed.restarted;
  const prevStates = [(await admin.detail(sessionId)).session.prev_state];
  await rig.restartWorker();
  const failAgain = async () => {
    const before = await factsOf(rig, sessionId);
    await continueFailed(admin, sessionId);
    prevStates.push((await untilFailed(admin, sessionId)).session.prev_state);
    expectWorkDoneToStay(before, await factsOf(rig, sessionId));
  };
  await failAgain();
  await failAgain();
  await continueFailed(admin, sessionId);
  const done = await untilDone(admin, sessionId);
  expect(prevStates).toEqual(['PLANNED_MAINTENANCE', 'PLANNED_MAINTENANCE', 'MAINTENANCE_COMPLETE']);
  expect(done.percent_done).toBe(100);
  const { plugins } = await factsOf(rig, sessionId);
  expect(Object.fromEntries([...plugins].map(([key, { attempts }]) => [key, attempts]))).toEqual({
    'restarted-1/0': 3,
    '/1': 2,
  });
});

it('begins a new run at the state where Temporal has forgotten the session', async () => {
  const { sessionId, reason, before } = await lost.forgotten;
  expect(reason).toMatch(/^host forgotten-1: /);
  const { done, statesSince } = await continueToTheEnd({ rig, admin }, { sessionId, before });
  expect(done.session.failure).toBeNull();
  expect(statesSince).toEqual(['PLANNED_MAINTENANCE', 'MAINTENANCE_COMPLETE', 'MAINTENANCE_DONE']);
  const row = await rig.db.session.findUniqueOrThrow({ where: { id: sessionId } });
  expect(row).toMatchObject({ continueRequestId: null, continueState: null, continueRequestedAt: null });
});

it('begins a new run with the set-up where Temporal has forgotten a session whose set-up failed', async () => {
  const { sessionId, reason } = await lost.unprepared;
  expect(reason).toMatch(/^action plug-in dummy \(pre\) failed/);
  await continueFailed(admin, sessionId);
  await untilDone(admin, sessionId);
  const { plugins, states } = await factsOf(rig, sessionId);
  expect(plugins.get('/0')).toEqual({ attempts: 2, status: 'done' });
  expect(states.slice(0, 2)).toEqual(['MAINTENANCE_FAILED', 'START_MAINTENANCE']);
});
