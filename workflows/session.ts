/**
 * The engine: one workflow per maintenance session. It sets the session up, then goes from state to state as the
 * session's workflow plug-in says. It keeps no facts: after a reset, as a new run, or on another worker it goes on from
 * what the database says.
 */
import {
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  condition,
  ContinueAsNew,
  isCancellation,
  rootCause,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { SessionState } from '../planning/fleet';
import type { SessionOpening } from '../activities/session-activities';
import { workflowPlugins } from '../plugins/workflows/registry';
import { downloads, quick } from './activity-proxies';
import { abortedByAdmin, currentState, searchAttributes, type SessionInput } from './messages';
import { continueAsNewWhenLong, type LiveSession, openLiveSession } from './live-session';
import { publishInBackground, type Publishing } from './publishing';
import { listenForRequests, type Requests } from './requests';
import { stopWork } from './stop-work';
import { toldFailure } from './told-failure';
import { listenForWakeUps, type WakeUps } from './wake-ups';

/** How long an ending session waits for the bus before it leaves its last events to the sweeper. */
const lastEventsMs = 60_000;

export async function maintenanceSession(input: SessionInput): Promise<string> {
  const { sessionId } = input;
  const publishing = publishInBackground(sessionId);
  const wakeUps = listenForWakeUps();
  const work = new CancellationScope();
  const requests = listenForRequests({ sessionId, work, wakeUps });
  const run: Run = { input, publishing, wakeUps, requests };
  try {
    await work.run(() => goThroughStates(run));
    requests.nowEnding('it is done');
    await CancellationScope.nonCancellable(() => publishing.drain(lastEventsMs));
    await CancellationScope.nonCancellable(() => condition(allHandlersFinished));
    return 'MAINTENANCE_DONE';
  } catch (error) {
    // A request that is being taken up just now belongs to this run.
    await CancellationScope.nonCancellable(() => condition(allHandlersFinished));
    if (error instanceof ContinueAsNew && !requests.isAborted()) throw error;
    return await CancellationScope.nonCancellable(() => end(run, error));
  }
}

interface Run {
  readonly input: SessionInput;
  readonly publishing: Publishing;
  readonly wakeUps: WakeUps;
  readonly requests: Requests;
}

async function goThroughStates({ input, publishing, wakeUps, requests }: Run): Promise<void> {
  const { sessionId, from } = input;
  const opening = await quick.openSession({ sessionId });
  if (opening.isToBeAborted === true) await requests.takeUpAbort();
  const { workflow, initialState, maintenanceAtMs } = opening;
  const session = openLiveSession({ input, maintenanceAtMs, publishing, wakeUps });
  setHandler(currentState, () => session.state());
  await prepare(session, opening, from);
  let state = from?.state ?? initialState;
  let entered = from?.how === 'continue';
  for (;;) {
    if (!entered) await enterState(session, state);
    session.nowIn(state);
    if (state === 'MAINTENANCE_DONE') return;
    // Only once the state is entered: a run that takes over in another state than the row's counts as reset by hand.
    if (!entered) await continueAsNewWhenLong({ sessionId, from: { state, how: 'continue' } });
    state = await handlerOf(workflow, state)(session);
    entered = false;
  }
}

async function prepare(session: LiveSession, opening: SessionOpening, from: SessionInput['from']): Promise<void> {
  if (from === undefined) await setUp(session, opening);
  // A new run without history: the set-up of before may have failed in its downloads.
  else if (from.how === 'enter') await download(session, opening, from.state);
}

/** Before the first state: its own entry point, so that a failed set-up is resumed by running it again. */
async function setUp(session: LiveSession, opening: SessionOpening): Promise<void> {
  const { initialState } = opening;
  const eventId = workflowInfo().historyLength;
  await quick.recordSetUp({ sessionId: session.id, state: initialState, eventId });
  session.nowSettingUp(initialState);
  await download(session, opening, initialState);
  if (initialState === 'MAINTENANCE') return; // MAINTENANCE waits and runs `pre` itself
  await session.waitUntilStart();
  await session.runPlugins('pre');
}

/**
 * The session's packages come first: everything later may need what they hold. No `patched`: in histories of before
 * there were downloads `hasDownloads` is missing, so they replay without this activity.
 */
async function download(session: LiveSession, opening: SessionOpening, state: SessionState): Promise<void> {
  if (opening.hasDownloads !== true) return;
  const ref = { sessionId: session.id, state };
  const { workflowModule } = await session.unlessPaused(() => downloads.downloadPackages(ref));
  if (workflowModule === undefined) return;
  const because = 'this version runs built-in workflows only';
  throw ApplicationFailure.nonRetryable(
    `workflow ${opening.workflow} is in the packages, but ${because}`,
    'UnknownState',
  );
}

/** The number of events so far is the ID of the running WORKFLOW_TASK_STARTED event, which a reset takes. */
async function enterState(session: LiveSession, state: SessionState): Promise<void> {
  const eventId = workflowInfo().historyLength;
  await quick.enterState({ sessionId: session.id, state, eventId });
  upsertSearchAttributes([{ key: searchAttributes.state, value: state }]);
  session.publishing.soon();
}

const handlerOf = (workflow: string, state: SessionState) => {
  const handler = workflowPlugins.get(workflow)?.states[state];
  if (handler === undefined) {
    throw ApplicationFailure.nonRetryable(`workflow ${workflow} has no state ${state}`, 'UnknownState');
  }
  return handler;
};

/**
 * The one place where a session ends before it is done: work in flight ends; then it goes away, where it is to be
 * deleted, or the reason is recorded and the workflow is red.
 */
async function end({ input, publishing, wakeUps, requests }: Run, error: unknown): Promise<string> {
  const { sessionId } = input;
  const isAborted = requests.isAborted();
  const reason = isAborted ? abortedByAdmin : reasonOf(error);
  requests.nowEnding('it is failing');
  const isToBeDeleted = await stopWork({ sessionId, why: isAborted ? 'aborting' : 'failing', wakeUps, reason });
  // Runs of before sessions could be aborted without being deleted are not told.
  if (isToBeDeleted ?? isAborted) return remove(sessionId);
  const failure = await quick.failSession({ sessionId, reason });
  showEnd('MAINTENANCE_FAILED');
  publishing.soon();
  await publishing.drain(lastEventsMs);
  await condition(allHandlersFinished);
  throw toldFailure(failure, 'MaintenanceFailed');
}

const reasonOf = (error: unknown): string =>
  isCancellation(error) ? 'the workflow was cancelled in Temporal' : (rootCause(error) ?? String(error));

async function remove(sessionId: string): Promise<string> {
  await quick.removeSession({ sessionId });
  showEnd('DELETED');
  await condition(allHandlersFinished);
  return 'DELETED';
}

/** Nobody is waited for any more. */
const showEnd = (state: string): void =>
  upsertSearchAttributes([
    { key: searchAttributes.state, value: state },
    { key: searchAttributes.project, value: null },
  ]);
