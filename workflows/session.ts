/**
 * The engine: one workflow per maintenance session. It sets the session up, then goes from state to state as the
 * session's workflow plug-in says. It keeps no facts: after a reset, in a new run, or on another worker it continues
 * from the database.
 */
import {
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  condition,
  ContinueAsNew,
  continueAsNew,
  isCancellation,
  makeContinueAsNewFunc,
  rootCause,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { SessionAtStart } from '../activities/session/session-activities';
import type { StopReason } from '../activities/session/stop-work';
import { workflowPlugins } from '../plugins/workflows/registry';
import type { WorkflowPlugin } from '../plugins/workflows/workflow-plugin';
import {
  abortedByAdmin,
  currentState,
  searchAttributes,
  type SessionInput,
  sessionTaskQueue,
  workflowTypes,
} from '../temporal/workflow-messages';
import { downloads, quick } from './activity-proxies';
import { continueAsNewWhenLong, createLiveSession, type LiveSession } from './live-session';
import { inWords, loadPackagedWorkflow } from './packaged-workflow';
import { publishInBackground, type Publishing } from './publishing';
import { listenForRequests, type Requests } from './requests';
import { stopWork } from './stop-work';
import { toldFailure } from './told-failure';
import { listenForWakeUps, type WakeUps } from './wake-ups';

/** The time that an ending session waits for the bus, before it leaves its last events to the sweeper. */
const lastEventsMs = 60_000;

export const maintenanceSession = async (input: SessionInput): Promise<string> => {
  const { sessionId } = input;
  const publishing = publishInBackground(sessionId);
  const wakeUps = listenForWakeUps();
  const work = new CancellationScope();
  const requests = listenForRequests({ sessionId, work, wakeUps });
  const run: SessionRun = { input, publishing, wakeUps, requests };
  const { ending } = input;
  if (ending !== undefined) return CancellationScope.nonCancellable(() => end(run, ending));
  try {
    await work.run(() => goThroughStates(run));
    requests.nowEnding('it is done');
    await CancellationScope.nonCancellable(() => publishing.drain(lastEventsMs));
    await CancellationScope.nonCancellable(() => condition(allHandlersFinished));
    return 'MAINTENANCE_DONE';
  } catch (error) {
    // A request that the session is just taking up belongs to this run.
    await CancellationScope.nonCancellable(() => condition(allHandlersFinished));
    if (error instanceof ContinueAsNew && !requests.isAborted()) throw error;
    const isAborted = requests.isAborted();
    const reason = isAborted ? abortedByAdmin : reasonOf(error);
    return await CancellationScope.nonCancellable(() => end(run, { isAborted, reason }));
  }
};

interface SessionRun {
  readonly input: SessionInput;
  readonly publishing: Publishing;
  readonly wakeUps: WakeUps;
  readonly requests: Requests;
}

const goThroughStates = async ({ input, publishing, wakeUps, requests }: SessionRun): Promise<void> => {
  const { sessionId, from } = input;
  const atStart = await quick.openSession({ sessionId });
  if (atStart.isToBeAborted) await requests.takeUpAbort();
  const session = createLiveSession({ input, atStart, publishing, wakeUps });
  setHandler(currentState, () => session.state());
  let state = from?.state ?? atStart.initialState;
  session.nowSettingUp(state);
  const plugin = await setUp(session, atStart, input);
  let entered = from?.how === 'continue';
  for (;;) {
    if (!entered) state = await enterState(session, state);
    session.nowIn(state);
    if (state === 'MAINTENANCE_DONE') return;
    // Only after the state is entered: a run that continues in another state than the row's counts as reset by hand.
    if (!entered) await continueAsNewWhenLong({ sessionId, from: { state, how: 'continue' } });
    state = await nextState(plugin, session);
    entered = false;
  }
};

/** Prepares the session for its first state. */
const setUp = async (session: LiveSession, atStart: SessionAtStart, input: SessionInput): Promise<WorkflowPlugin> => {
  // A session that continues on its own task queue has its packages already.
  if (input.hasPackages !== true) await prepare(session, atStart, input.from);
  const plugin = findPlugin(atStart);
  if (input.from === undefined) await waitForBeginning(session, atStart.initialState);
  return plugin;
};

/** The set-up has its own entry point, so that a failed set-up is continued by running it again. */
const prepare = async (session: LiveSession, atStart: SessionAtStart, from: SessionInput['from']): Promise<void> => {
  if (from?.how === 'continue') return;
  if (from === undefined) {
    const eventId = workflowInfo().historyLength;
    await quick.recordSetUp({ sessionId: session.id, state: atStart.initialState, eventId });
  }
  // Also in a new run without history: the earlier set-up may have failed in its downloads.
  await download(session, atStart, from);
};

/** Fetches the session's packages first: everything later may need their files. */
const download = async (session: LiveSession, atStart: SessionAtStart, from: SessionInput['from']): Promise<void> => {
  if (!atStart.hasDownloads) return;
  const { id: sessionId } = session;
  const ref = { sessionId, state: session.state() };
  const { workflowModule } = await session.unlessPaused(() => downloads.downloadPackages(ref));
  if (workflowModule === undefined) return;
  // The code of a worker is fixed when it starts. So the package's workflow has workers and a task queue of its own.
  const continueAsNew = makeContinueAsNewFunc<typeof maintenanceSession>({
    workflowType: workflowTypes.session,
    taskQueue: sessionTaskQueue(sessionId),
  });
  await continueAsNew({ sessionId, ...(from && { from }), hasPackages: true });
};

/** Waits before the first state, unless that is MAINTENANCE, which waits itself. */
const waitForBeginning = async (session: LiveSession, initialState: string): Promise<void> => {
  if (initialState === 'MAINTENANCE') return;
  await session.waitUntilStart();
  await session.runPlugins('pre');
};

/** A built-in plug-in wins over one of the packages. */
const findPlugin = ({ workflow, cancelGraceSeconds }: SessionAtStart): WorkflowPlugin => {
  const builtIn = workflowPlugins.get(workflow);
  if (builtIn !== undefined) return builtIn;
  try {
    return loadPackagedWorkflow({ name: workflow, cancelGraceSeconds });
  } catch (error) {
    throw ApplicationFailure.nonRetryable(`workflow ${workflow}: ${inWords(error)}`, 'WorkflowPlugin');
  }
};

/**
 * Records the state that the session enters. The number of events so far is the ID of the running WORKFLOW_TASK_STARTED
 * event, to which a reset goes back.
 *
 * @returns the state that the session is in then. When a project has refused meanwhile what it had accepted, or a host
 * is still to be enabled before the session is done, that is the state before, whose handler runs again
 */
const enterState = async (session: LiveSession, state: string): Promise<string> => {
  const eventId = workflowInfo().historyLength;
  const restsOnAnswers = session.restsOnAnswers();
  const entered = await quick.enterState({ sessionId: session.id, state, eventId, restsOnAnswers });
  if (entered !== undefined) {
    if (entered !== 'unsettled') await session.untilReported(entered.releasing);
    return session.state();
  }
  upsertSearchAttributes([{ key: searchAttributes.state, value: state }]);
  session.publishing.soon();
  return state;
};

/**
 * Runs the present state's handler. A state that does not exist is never entered, so the present state can be
 * continued.
 */
const nextState = async (plugin: WorkflowPlugin, session: LiveSession): Promise<string> => {
  const state = session.state();
  const handler = plugin.states[state];
  if (handler === undefined) throw unknownState(plugin, `it has no state ${state}`);
  const next: unknown = await handler(session);
  const isKnown = typeof next === 'string' && (next === 'MAINTENANCE_DONE' || Object.hasOwn(plugin.states, next));
  if (!isKnown) throw unknownState(plugin, `its state ${state} leads to ${String(next)}, which it does not have`);
  return next;
};

const unknownState = ({ name, states }: WorkflowPlugin, because: string) =>
  ApplicationFailure.nonRetryable(
    `workflow ${name}: ${because}; its states are ${Object.keys(states).join(', ')}`,
    'UnknownState',
  );

/**
 * The one place where a session ends before it is done. Work in flight ends first. Then a session that is to be deleted
 * is removed; any other records the reason, and its workflow fails.
 */
const end = async (
  { input, publishing, wakeUps, requests }: SessionRun,
  ending: NonNullable<SessionInput['ending']>,
): Promise<string> => {
  const { sessionId } = input;
  const { isAborted, reason, told } = ending;
  requests.nowEnding('it is failing');
  const leaveLongHistory = (how: StopReason) =>
    continueAsNew<typeof maintenanceSession>({ ...input, ending: { ...ending, told: how } });
  const why = isAborted ? 'aborting' : 'failing';
  const isToBeDeleted = await stopWork({ sessionId, why, wakeUps, reason, told, leaveLongHistory });
  if (isToBeDeleted) return remove(sessionId);
  const failure = await quick.failSession({ sessionId, reason });
  showEnd('MAINTENANCE_FAILED');
  publishing.soon();
  await publishing.drain(lastEventsMs);
  await condition(allHandlersFinished);
  throw toldFailure(failure, 'MaintenanceFailed');
};

const reasonOf = (error: unknown): string =>
  isCancellation(error) ? 'the workflow was cancelled in Temporal' : (rootCause(error) ?? String(error));

const remove = async (sessionId: string): Promise<string> => {
  const removal = await quick.removeSession({ sessionId });
  // The session is kept, because a host is still disabled by it: its cleanup tries again.
  if (removal !== 'kept') showEnd('DELETED');
  await condition(allHandlersFinished);
  return removal === 'kept' ? 'KEPT' : 'DELETED';
};

/** The session waits for no project any more. */
const showEnd = (state: string): void =>
  upsertSearchAttributes([
    { key: searchAttributes.state, value: state },
    { key: searchAttributes.project, value: null },
  ]);
