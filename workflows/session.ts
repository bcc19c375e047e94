/**
 * The engine: one workflow per maintenance session. It sets the session up, then goes from state to state as the
 * session's workflow plug-in says. It keeps no facts: after a reset, as a new run, or on another worker it goes on from
 * what the database says.
 */
import {
  ApplicationFailure,
  CancellationScope,
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
import { abort, currentState, searchAttributes, type SessionInput } from './messages';
import { continueAsNewWhenLong, type LiveSession, openLiveSession } from './live-session';
import { publishInBackground, type Publishing } from './publishing';
import { stopWork } from './stop-work';
import { toldFailure } from './told-failure';

/** How long an ending session waits for the bus before it leaves its last events to the sweeper. */
const lastEventsMs = 60_000;

export async function maintenanceSession(input: SessionInput): Promise<string> {
  const { sessionId } = input;
  const publishing = publishInBackground(sessionId);
  const work = new CancellationScope();
  let aborted = false;
  setHandler(abort, () => {
    if (aborted) return;
    aborted = true;
    void CancellationScope.nonCancellable(() => quick.takeUpDeletion({ sessionId })).catch(() => undefined);
    work.cancel();
  });
  try {
    await work.run(() => goThroughStates(input, publishing));
    await CancellationScope.nonCancellable(() => publishing.drain(lastEventsMs));
    return 'MAINTENANCE_DONE';
  } catch (error) {
    if (error instanceof ContinueAsNew) throw error;
    return await CancellationScope.nonCancellable(() =>
      aborted ? endDeleted(sessionId) : endFailed({ sessionId, error, publishing }),
    );
  }
}

async function goThroughStates({ sessionId, from }: SessionInput, publishing: Publishing): Promise<void> {
  const opening = await quick.openSession({ sessionId });
  const { workflow, initialState, maintenanceAtMs } = opening;
  const session = openLiveSession({ sessionId, maintenanceAtMs, publishing });
  setHandler(currentState, () => session.state());
  if (from === undefined) await setUp(session, opening);
  // A new run without history: the set-up of before may have failed in its downloads.
  else if (from.how === 'enter') await download(session, opening, from.state);
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

/** Before the first state: its own entry point, so that a failed set-up is resumed by running it again. */
async function setUp(session: LiveSession, opening: SessionOpening): Promise<void> {
  const { initialState } = opening;
  const eventId = workflowInfo().historyLength;
  await quick.recordSetUp({ sessionId: session.id, state: initialState, eventId });
  session.nowIn(initialState);
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
  const { workflowModule } = await downloads.downloadPackages({ sessionId: session.id, state });
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

interface Failure {
  readonly sessionId: string;
  readonly error: unknown;
  readonly publishing: Publishing;
}

/** The one place where a session fails: work in flight ends, the reason is recorded, then the workflow is red. */
async function endFailed({ sessionId, error, publishing }: Failure): Promise<never> {
  const reason = isCancellation(error) ? 'the workflow was cancelled in Temporal' : (rootCause(error) ?? String(error));
  await stopWork(sessionId, 'failing', reason);
  const failure = await quick.failSession({ sessionId, reason });
  showEnd('MAINTENANCE_FAILED');
  publishing.soon();
  await publishing.drain(lastEventsMs);
  throw toldFailure(failure, 'MaintenanceFailed');
}

async function endDeleted(sessionId: string): Promise<string> {
  await stopWork(sessionId, 'aborting');
  await quick.removeSession({ sessionId });
  showEnd('DELETED');
  return 'DELETED';
}

/** Nobody is waited for any more. */
const showEnd = (state: string): void =>
  upsertSearchAttributes([
    { key: searchAttributes.state, value: state },
    { key: searchAttributes.project, value: null },
  ]);
